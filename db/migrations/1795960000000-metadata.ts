import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `metadata` of the objects that integrations keep something with, and an index for `has_metadata`. Objects
 * without any are not in the index, so that they cost nothing to store. Without `fastupdate`, no search reads
 * a list of pending entries.
 */
export class Metadata1795960000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE bookings ADD COLUMN IF NOT EXISTS metadata jsonb NOT NULL DEFAULT '{}'`);
    await runner.query(`ALTER TABLE invoices ADD COLUMN IF NOT EXISTS metadata jsonb NOT NULL DEFAULT '{}'`);
    await runner.query(`ALTER TABLE companies ADD COLUMN IF NOT EXISTS metadata jsonb NOT NULL DEFAULT '{}'`);
    await runner.query(`ALTER TABLE members ADD COLUMN IF NOT EXISTS metadata jsonb NOT NULL DEFAULT '{}'`);
    await runner.query(`ALTER TABLE rooms ADD COLUMN IF NOT EXISTS metadata jsonb NOT NULL DEFAULT '{}'`);
    await runner.query(`ALTER TABLE extras ADD COLUMN IF NOT EXISTS metadata jsonb NOT NULL DEFAULT '{}'`);
    // One that was interrupted is there, and not valid.
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS bookings_metadata`);
    await runner.query(`CREATE INDEX CONCURRENTLY bookings_metadata ON bookings
      USING gin (workspace_id, metadata jsonb_path_ops) WITH (fastupdate = off) WHERE metadata <> '{}'`);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS invoices_metadata`);
    await runner.query(`CREATE INDEX CONCURRENTLY invoices_metadata ON invoices
      USING gin (workspace_id, metadata jsonb_path_ops) WITH (fastupdate = off) WHERE metadata <> '{}'`);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS companies_metadata`);
    await runner.query(`CREATE INDEX CONCURRENTLY companies_metadata ON companies
      USING gin (workspace_id, metadata jsonb_path_ops) WITH (fastupdate = off) WHERE metadata <> '{}'`);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS members_metadata`);
    await runner.query(`CREATE INDEX CONCURRENTLY members_metadata ON members
      USING gin (workspace_id, metadata jsonb_path_ops) WITH (fastupdate = off) WHERE metadata <> '{}'`);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS rooms_metadata`);
    await runner.query(`CREATE INDEX CONCURRENTLY rooms_metadata ON rooms
      USING gin (workspace_id, metadata jsonb_path_ops) WITH (fastupdate = off) WHERE metadata <> '{}'`);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS extras_metadata`);
    await runner.query(`CREATE INDEX CONCURRENTLY extras_metadata ON extras
      USING gin (workspace_id, metadata jsonb_path_ops) WITH (fastupdate = off) WHERE metadata <> '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE bookings DROP COLUMN metadata`);
    await runner.query(`ALTER TABLE invoices DROP COLUMN metadata`);
    await runner.query(`ALTER TABLE companies DROP COLUMN metadata`);
    await runner.query(`ALTER TABLE members DROP COLUMN metadata`);
    await runner.query(`ALTER TABLE rooms DROP COLUMN metadata`);
    await runner.query(`ALTER TABLE extras DROP COLUMN metadata`);
  }
}
