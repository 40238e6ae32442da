import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The rates of rooms: the current ones with the room, so that no create reads more rows, and every version. */
export class RoomRates1764350000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE room_rates (
        room_id uuid NOT NULL REFERENCES rooms,
        version integer NOT NULL CHECK (version > 0),
        workspace_id text COLLATE "C" NOT NULL,
        rates jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (room_id, version)
      );
      ALTER TABLE rooms ADD COLUMN rates jsonb NOT NULL DEFAULT '[]', ADD COLUMN rate_version integer NOT NULL DEFAULT 0;
      COMMENT ON COLUMN rooms.rates IS 'The current rates; earlier versions are in room_rates.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE rooms DROP COLUMN rates, DROP COLUMN rate_version; DROP TABLE room_rates`,
    );
  }
}
