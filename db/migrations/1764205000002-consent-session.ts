import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Binds a consent to the browser session that opened its page (docs/rules/accounting.md#connection). */
export class ConsentSession1764205000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE accounting_consents ADD session_hash bytea`);
    await runner.query(
      `COMMENT ON COLUMN accounting_consents.session_hash IS
         'The session that went to the consent page, and must return from it. Null until then.'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE accounting_consents DROP session_hash`);
  }
}
