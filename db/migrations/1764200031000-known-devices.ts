import type { MigrationInterface, QueryRunner } from 'typeorm';

/** From when on the browsers that a person signed in with count as known. */
export class KnownDevices1764200031000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE profiles ADD COLUMN devices_since timestamptz(3);
      COMMENT ON COLUMN profiles.devices_since IS 'Browsers that signed in before this time count as new.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE profiles DROP COLUMN devices_since`);
  }
}
