import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a refund is for, and how many of ours its payment had before, and one. Refunds from before have neither. */
export class RefundPurposes1764100011000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE payments ADD ordinal integer, ADD purpose text`);
    await runner.query(`
      ALTER TABLE payments ADD CONSTRAINT payments_purpose_check CHECK (purpose IN
        ('cancellation', 'change', 'adjustment', 'late', 'excess', 'request', 'dashboard')) NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE payments DROP ordinal, DROP purpose`);
  }
}
