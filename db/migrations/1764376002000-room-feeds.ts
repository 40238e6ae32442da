import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The addresses under which calendar programs of members read the bookings of rooms. */
export class RoomFeeds1764376002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE room_feeds (
        id text COLLATE "C" PRIMARY KEY,
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        member_id text COLLATE "C" NOT NULL REFERENCES members,
        room_id uuid NOT NULL REFERENCES rooms,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT room_feeds_member_room_key UNIQUE (member_id, room_id)
      );
      COMMENT ON COLUMN room_feeds.id IS 'The address has it with a signature.';
      COMMENT ON COLUMN room_feeds.member_id IS 'Whose rights its document has.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE room_feeds`);
  }
}
