import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who made a refund: only those of the service are made again when the account lacked balance. */
export class RefundOrigin1764100005000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payments ADD COLUMN origin text;
      ALTER TABLE payments
        ADD CONSTRAINT payments_origin_check CHECK (origin IN ('service', 'processor')) NOT VALID;
      COMMENT ON COLUMN payments.origin IS
        'For a refund: requested by the service, or found at the processor. Null for refunds from before it was stored.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE payments DROP COLUMN origin`);
  }
}
