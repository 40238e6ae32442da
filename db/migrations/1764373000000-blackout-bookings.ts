import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What happens to the bookings that are in the way of a blackout. */
export class BlackoutBookings1764373000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE blackout_bookings (
        blackout_id text COLLATE "C" NOT NULL REFERENCES blackouts ON DELETE CASCADE,
        booking_id text COLLATE "C" NOT NULL REFERENCES bookings,
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        plan jsonb NOT NULL,
        note text,
        state text NOT NULL DEFAULT 'planned' CHECK (state IN ('planned', 'done', 'failed')),
        problem jsonb,
        told_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (blackout_id, booking_id)
      );
      CREATE INDEX blackout_bookings_by_booking ON blackout_bookings (booking_id);
      COMMENT ON TABLE blackout_bookings IS 'What happens to the bookings that are in the way of a blackout.';
      COMMENT ON COLUMN blackout_bookings.note IS 'For the payer, in the mail about it.';
      COMMENT ON COLUMN blackout_bookings.problem IS 'Why the last attempt failed.';
      COMMENT ON COLUMN blackout_bookings.told_at IS 'When the mail with the note was enqueued.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE blackout_bookings`);
  }
}
