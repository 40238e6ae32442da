import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Workers make the first attempt of an accounting update without a run. Versions are of a sequence: a row that is deleted and
 * inserted again must not have the version of the one before.
 */
export class FirstAccountingAttempts1764384000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE SEQUENCE accounting_due_versions AS integer START 1000;
      ALTER TABLE accounting_due ADD COLUMN first_attempt_until timestamptz(3),
        ALTER COLUMN version SET DEFAULT nextval('accounting_due_versions');
      ALTER SEQUENCE accounting_due_versions OWNED BY accounting_due.version;
      COMMENT ON COLUMN accounting_due.first_attempt_until IS
        'Until then a worker makes the first attempt; infinity: it has not begun. Null: the invoice''s workflow writes.';
      COMMENT ON COLUMN accounting_due.notified_at IS
        'When workers could begin with the first attempt, or the invoice''s workflow was notified of this version.';
      COMMENT ON COLUMN accounting_due.version IS 'Increases with each change of the invoice. Not used twice.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE accounting_due SET notified_at = NULL WHERE first_attempt_until IS NOT NULL;
      ALTER TABLE accounting_due DROP COLUMN first_attempt_until, ALTER COLUMN version SET DEFAULT 1;
      DROP SEQUENCE accounting_due_versions;
      COMMENT ON COLUMN accounting_due.notified_at IS 'When the invoice''s workflow was notified of this version.';
      COMMENT ON COLUMN accounting_due.version IS 'Increases with each change of the invoice.'`);
  }
}
