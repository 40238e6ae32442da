import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The parts of rooms, and the rooms without parts of their own that each of them consists of. */
export class RoomParts1764377000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE rooms ADD COLUMN parts uuid[] NOT NULL DEFAULT '{}';
      COMMENT ON COLUMN rooms.parts IS 'The rooms that it consists of, which may have parts too.';
      CREATE TABLE room_leaves (
        room_id uuid NOT NULL REFERENCES rooms,
        leaf_id uuid NOT NULL REFERENCES rooms,
        PRIMARY KEY (room_id, leaf_id)
      );
      COMMENT ON TABLE room_leaves IS
        'The rooms without parts that a room consists of; itself, for a room that is only a part. Follows from rooms.parts.';
      CREATE INDEX room_leaves_by_leaf ON room_leaves (leaf_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE room_leaves; ALTER TABLE rooms DROP COLUMN parts`);
  }
}
