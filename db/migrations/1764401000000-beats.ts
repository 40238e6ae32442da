import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By which the service notices that the database is an older one, and what it may then not do. */
export class Beats1764401000000 implements MigrationInterface {
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE recovery
        ADD COLUMN IF NOT EXISTS beat bigint NOT NULL DEFAULT 0,
        ADD COLUMN IF NOT EXISTS beat_at timestamptz(3),
        ADD COLUMN IF NOT EXISTS run_id text,
        ADD COLUMN IF NOT EXISTS identity text`);
    // Its rows are gone after a crash, and in a replica that was promoted.
    await runner.query(
      `CREATE UNLOGGED TABLE IF NOT EXISTS database_marks (id uuid PRIMARY KEY DEFAULT gen_random_uuid())`,
    );
    await runner.query(`
      ALTER TABLE account_reads
        ADD COLUMN IF NOT EXISTS numbers_unknown boolean NOT NULL DEFAULT false,
        ADD COLUMN IF NOT EXISTS untold text`);
    await runner.query(`ALTER TABLE checkouts ADD COLUMN IF NOT EXISTS charge_ordinal integer`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY IF NOT EXISTS account_reads_recovering ON account_reads (workspace_id)
      WHERE recovering_since IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX account_reads_recovering`);
    await runner.query(`ALTER TABLE checkouts DROP COLUMN charge_ordinal`);
    await runner.query(`ALTER TABLE account_reads DROP COLUMN numbers_unknown, DROP COLUMN untold`);
    await runner.query(`DROP TABLE database_marks`);
    await runner.query(
      `ALTER TABLE recovery DROP COLUMN beat, DROP COLUMN beat_at, DROP COLUMN run_id, DROP COLUMN identity`,
    );
  }
}
