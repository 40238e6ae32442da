import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What staff have written to bookers. */
export class BookingMessages1795985000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE booking_messages (
      message_id text COLLATE "C" NOT NULL,
      booking_id text COLLATE "C" NOT NULL REFERENCES bookings,
      workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
      request_id text COLLATE "C" NOT NULL,
      subject text,
      body text,
      actor jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      PRIMARY KEY (message_id, booking_id)
    )`);
    await runner.query(`CREATE INDEX booking_messages_by_booking ON booking_messages (booking_id)`);
    await runner.query(`CREATE INDEX booking_messages_by_request ON booking_messages (request_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE booking_messages`);
  }
}
