import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Workspaces that require a second factor of every member. */
export class RequiredSecondFactor1764200034000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE workspaces ADD COLUMN require_second_factor boolean NOT NULL DEFAULT false`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspaces DROP COLUMN require_second_factor`);
  }
}
