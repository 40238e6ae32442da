import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the processor requires of a workspace's account (docs/rules/workspace.md#processor-account). */
export class AccountRequirements1795328500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE workspaces ADD processor_due_by timestamptz(3), ADD processor_problem text`,
    );
    await runner.query(`
      COMMENT ON COLUMN workspaces.processor_due_by IS
        'When the processor restricts the account unless its operator has submitted what it requires.';
      COMMENT ON COLUMN workspaces.processor_problem IS
        'Why the processor has restricted the account, in its own code; payouts_disabled if it says nothing more.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspaces DROP processor_due_by, DROP processor_problem`);
  }
}
