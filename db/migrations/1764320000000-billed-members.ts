import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a member's plan is invoiced. Members from before it could be chosen are, as they were. */
export class BilledMembers1764320000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE members ADD COLUMN billed boolean NOT NULL DEFAULT true`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE members DROP COLUMN billed`);
  }
}
