import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a workspace calls its tiers, and how many hours each includes. */
export class Plans1764320001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE workspaces ADD COLUMN plans jsonb NOT NULL DEFAULT '{}';
      COMMENT ON COLUMN workspaces.plans IS
        'Name and monthly hours of each tier; what is missing or null is the default of the service.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspaces DROP COLUMN plans`);
  }
}
