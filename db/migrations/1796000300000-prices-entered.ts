import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether the people of a workspace enter prices without tax or with it. */
export class PricesEntered1796000300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspaces ADD COLUMN prices_entered text NOT NULL DEFAULT 'net'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspaces DROP COLUMN prices_entered`);
  }
}
