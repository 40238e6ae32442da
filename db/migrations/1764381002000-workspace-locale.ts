import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The language of payers who have no other. */
export class WorkspaceLocale1764381002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspaces ADD COLUMN locale text NOT NULL DEFAULT 'en'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspaces DROP COLUMN locale`);
  }
}
