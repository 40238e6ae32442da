import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What can be booked with rooms. */
export class Extras1764374000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE extras (
        id uuid PRIMARY KEY,
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        name text NOT NULL,
        unit text NOT NULL CHECK (unit IN ('booking', 'hour', 'attendee', 'piece')),
        currency char(3) NOT NULL,
        price_minor integer NOT NULL CHECK (price_minor >= 0),
        tax_code text NOT NULL,
        room_ids uuid[],
        stock integer CHECK (stock >= 0),
        cutoff_hours integer NOT NULL DEFAULT 0,
        refund_steps jsonb,
        internal boolean NOT NULL DEFAULT false,
        archived boolean NOT NULL DEFAULT false,
        accounting_account text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      );
      CREATE INDEX extras_by_workspace ON extras (workspace_id, created_at, id);
      COMMENT ON COLUMN extras.price_minor IS 'For one unit, without tax.';
      COMMENT ON COLUMN extras.room_ids IS 'The rooms that it can be booked with; null for all.';
      COMMENT ON COLUMN extras.stock IS 'How many there are at a time; null for any number.';
      COMMENT ON COLUMN extras.refund_steps IS 'Null for those of the room.';
      COMMENT ON COLUMN extras.internal IS 'Only staff book it.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE extras`);
  }
}
