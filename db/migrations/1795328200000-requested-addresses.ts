import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A person's own change of address takes effect once they confirm it from the new one
 * (docs/rules/members.md#changes-of-address).
 */
export class RequestedAddresses1795328200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE member_invites ADD new_email text`);
    await runner.query(
      `COMMENT ON COLUMN member_invites.new_email IS
         'The address that the member has requested: the link confirms it. Null for an invite or a proof.'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM member_invites WHERE new_email IS NOT NULL`);
    await runner.query(`ALTER TABLE member_invites DROP new_email`);
  }
}
