import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The job that opened a subscription invoice, so that a job's result does not have to carry a list of ids. */
export class InvoiceOpenedBy1764300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE invoices ADD opened_by text COLLATE "C"`);
    await runner.query(
      `COMMENT ON COLUMN invoices.opened_by IS
         'The workflow id of the job that opened a subscription invoice; null for all other invoices.'`,
    );
    await runner.query(`CREATE INDEX invoices_opened_by ON invoices (opened_by) WHERE opened_by IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE invoices DROP opened_by`);
  }
}
