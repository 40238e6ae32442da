import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A refund that is lost with the key of its request, and comes back from the processor, is found by a retry with the key. */
export class RefundRequests1764394000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payments ADD COLUMN request_hash bytea;
      COMMENT ON COLUMN payments.request_hash IS 'For a refund: SHA-256 of workspace and Idempotency-Key of its request. Null without a key, and for old ones.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE payments DROP COLUMN request_hash`);
  }
}
