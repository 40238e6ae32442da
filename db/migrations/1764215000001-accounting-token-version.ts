import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Identifies an accounting connection's tokens: encrypting them again changes the stored values, not the tokens. */
export class AccountingTokenVersion1764215000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE accounting_connections ADD token_version integer NOT NULL DEFAULT 0`);
    await runner.query(
      `COMMENT ON COLUMN accounting_connections.token_version IS 'Rises with each new pair of tokens.'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE accounting_connections DROP token_version`);
  }
}
