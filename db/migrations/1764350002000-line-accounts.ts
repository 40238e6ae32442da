import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A rate can have an account of its own in the books. */
export class LineAccounts1764350002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE invoice_lines ADD COLUMN account text;
      COMMENT ON COLUMN invoice_lines.account IS 'Its account in the books; null for the workspace''s sales account.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE invoice_lines DROP COLUMN account`);
  }
}
