import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Workers make the first attempt of an accounting update without a run. */
export class FirstAccountingAttempts1764384000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE accounting_due ADD COLUMN first_attempt_until timestamptz(3);
      COMMENT ON COLUMN accounting_due.first_attempt_until IS
        'Until then a worker makes the first attempt; -infinity: the invoice''s workflow writes. Null: nobody has begun.';
      COMMENT ON COLUMN accounting_due.notified_at IS
        'When a worker claimed this version, or the invoice''s workflow was notified of it.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE accounting_due DROP COLUMN first_attempt_until;
      COMMENT ON COLUMN accounting_due.notified_at IS 'When the invoice''s workflow was notified of this version.'`);
  }
}
