import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The sites that may use a publishable key, which a browser's preflight asks for without naming the key. */
export class PublishableOriginsIndex1764376001000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS api_keys_origins`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY api_keys_origins ON api_keys USING gin (origins) WHERE kind = 'publishable'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY api_keys_origins`);
  }
}
