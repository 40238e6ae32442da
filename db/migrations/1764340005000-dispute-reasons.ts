import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why a payment is disputed, and what has become of the evidence. */
export class DisputeReasons1764340005000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE disputes ADD COLUMN reason text, ADD COLUMN evidence text;
      COMMENT ON COLUMN disputes.reason IS 'In the code of the processor. Null for one that was read before it was stored.';
      COMMENT ON COLUMN disputes.evidence IS 'none, staged, submitted, or late; null as above.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE disputes DROP COLUMN reason, DROP COLUMN evidence`);
  }
}
