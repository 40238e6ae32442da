import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the processor last told of a payment's dispute: what it tells may arrive in another order. */
export class DisputeOrder1763870000000 implements MigrationInterface {
  name = 'DisputeOrder1763870000000';

  async up(query: QueryRunner): Promise<void> {
    await query.query(`ALTER TABLE payments ADD dispute_told_at timestamptz(3)`);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query(`ALTER TABLE payments DROP dispute_told_at`);
  }
}
