import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the booker of a confirmed booking is reminded of it. */
export class BookingReminders1764340002000 implements MigrationInterface {
  /** Creates an index concurrently. Each statement may run again. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE bookings ADD COLUMN IF NOT EXISTS remind_at timestamptz(3)`);
    await runner.query(
      `COMMENT ON COLUMN bookings.remind_at IS 'When the outbox relay queues the reminder; null: there is none any more.'`,
    );
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS bookings_to_remind`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY bookings_to_remind ON bookings (remind_at) WHERE remind_at IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE bookings DROP COLUMN remind_at`);
  }
}
