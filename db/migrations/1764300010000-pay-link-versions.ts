import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pay links can be replaced: the version of an invoice's link is part of what is signed. */
export class PayLinkVersions1764300010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE invoices ADD COLUMN pay_link_version integer NOT NULL DEFAULT 1`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE invoices DROP COLUMN pay_link_version`);
  }
}
