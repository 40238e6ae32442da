import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A refund that fails after it has succeeded keeps the time of its success: statements list both. */
export class RefundSucceededAt1764386000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payments ADD COLUMN succeeded_at timestamptz(3);
      COMMENT ON COLUMN payments.succeeded_at IS
        'For a refund that failed after it had succeeded: when it succeeded. Null if it failed before this was stored.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE payments DROP COLUMN succeeded_at`);
  }
}
