import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The number that an invoice has on paper and in the books. */
export class DocumentNumbers1764310001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE invoices ADD COLUMN document_number text;
      COMMENT ON COLUMN invoices.document_number IS
        'With the prefix of its time. Null until the documents of an invoice from before they were stored are issued.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE invoices DROP COLUMN document_number`);
  }
}
