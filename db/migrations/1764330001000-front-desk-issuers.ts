import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens whose issuers worked at the front desk when they created them. */
export class FrontDeskIssuers1764330001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_tokens DROP CONSTRAINT api_tokens_issuer_role_check, ADD CONSTRAINT api_tokens_issuer_role_check
        CHECK (issuer_role IN ('member', 'front_desk', 'billing_contact', 'admin', 'owner')) NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_tokens DROP CONSTRAINT api_tokens_issuer_role_check, ADD CONSTRAINT api_tokens_issuer_role_check
        CHECK (issuer_role IN ('member', 'billing_contact', 'admin', 'owner')) NOT VALID`);
  }
}
