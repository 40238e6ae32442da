import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Members are found whatever the accents. `members_search` is for the previous release. */
export class MemberSearch1764372001000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS members_words`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY members_words ON members
       USING gin (search_text(name || ' ' || email) gin_trgm_ops) WITH (fastupdate = off)`,
    );
    await runner.query(`ANALYZE members`);
    await runner.query(`COMMENT ON INDEX members_search IS 'Unused since members_words.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`COMMENT ON INDEX members_search IS NULL`);
    await runner.query(`DROP INDEX CONCURRENTLY members_words`);
  }
}
