import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Spreadsheets of some countries expect semicolons and decimal commas. */
export class CsvFormats1764399000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE workspaces ADD COLUMN csv jsonb NOT NULL DEFAULT '{"decimal": "point", "separator": "comma"}';
      COMMENT ON COLUMN workspaces.csv IS 'How files for spreadsheets are written.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspaces DROP COLUMN csv`);
  }
}
