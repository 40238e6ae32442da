import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who has asked for a booking at the dashboard, until it is published and the audit log has it. */
export class BookingMakers1764388000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE booking_requests ADD COLUMN actor jsonb;
      COMMENT ON COLUMN booking_requests.actor IS 'The member who asked for it at the dashboard, until it is published; null for other requests.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE booking_requests DROP COLUMN actor`);
  }
}
