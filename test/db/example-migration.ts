import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Locks `idempotency_keys` for as long as it reads all of it, which no migration in `db/migrations/` may do.
 */
export class ExampleIndex1999000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX idempotency_keys_example ON idempotency_keys (created_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX idempotency_keys_example`);
  }
}
