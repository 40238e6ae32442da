import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What people see of a room before they book it. */
export class RoomFeatures1764378000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE rooms ADD COLUMN image_urls text[] NOT NULL DEFAULT '{}', ADD COLUMN features text[] NOT NULL DEFAULT '{}',
        ADD COLUMN floor text, ADD COLUMN size_m2 integer;
      COMMENT ON COLUMN rooms.image_urls IS 'Pictures, the first of which lists show.';
      COMMENT ON COLUMN rooms.features IS 'Such as Projector, step-free.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE rooms DROP COLUMN image_urls, DROP COLUMN features, DROP COLUMN floor, DROP COLUMN size_m2`);
  }
}
