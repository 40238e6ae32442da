import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The addresses under which calendar programs read the bookings of members. */
export class Feeds1764330010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE feeds (
        id text COLLATE "C" PRIMARY KEY,
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        member_id text COLLATE "C" NOT NULL UNIQUE REFERENCES members,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      );
      COMMENT ON COLUMN feeds.id IS 'The address has it with a signature.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE feeds`);
  }
}
