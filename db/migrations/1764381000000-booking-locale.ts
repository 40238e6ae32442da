import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The language that the booker reads. */
export class BookingLocale1764381000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE bookings ADD COLUMN locale text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE bookings DROP COLUMN locale`);
  }
}
