import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The lines of bookings that rates have priced. All others follow from their columns. */
export class BookingPricing1764350001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE bookings ADD COLUMN pricing jsonb;
      COMMENT ON COLUMN bookings.pricing IS 'The lines of a price by rates; null for one by the hourly price.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE bookings DROP COLUMN pricing`);
  }
}
