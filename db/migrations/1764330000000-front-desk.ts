import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The role of people who work at the front desk. */
export class FrontDesk1764330000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE members DROP CONSTRAINT members_role_check, ADD CONSTRAINT members_role_check
        CHECK (role IN ('member', 'front_desk', 'billing_contact', 'admin', 'owner')) NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE members DROP CONSTRAINT members_role_check, ADD CONSTRAINT members_role_check
        CHECK (role IN ('member', 'billing_contact', 'admin', 'owner')) NOT VALID`);
  }
}
