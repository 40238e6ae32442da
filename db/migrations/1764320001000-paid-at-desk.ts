import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Bookings whose payment was taken at the desk. */
export class PaidAtDesk1764320001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE bookings ADD COLUMN paid_at_desk boolean NOT NULL DEFAULT false`);
    await runner.query(
      `COMMENT ON COLUMN bookings.paid_at_desk IS 'Confirmed by a payment at the desk, not at its checkout.'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE bookings DROP COLUMN paid_at_desk`);
  }
}
