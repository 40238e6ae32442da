import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What tax invoices name of a company, besides its name. */
export class CompanyDetails1795348000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE companies ADD address text, ADD vat_number text`);
    await runner.query(`COMMENT ON COLUMN companies.address IS 'Printed on its invoices; several lines.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE companies DROP vat_number, DROP address`);
  }
}
