import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How a booking came about, and what strangers enter who book by themselves. */
export class BookingOrigin1764360000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE bookings ADD COLUMN source text NOT NULL DEFAULT 'api', ADD COLUMN guest_billing jsonb,
        ADD COLUMN answers jsonb, ADD COLUMN terms_version text, ADD COLUMN terms_accepted_at timestamptz(3),
        ADD COLUMN confirm_until timestamptz(3);
      COMMENT ON COLUMN bookings.source IS 'How it came about: api, dashboard, page or import.';
      COMMENT ON COLUMN bookings.guest_billing IS 'Company, VAT number and order reference that the guest entered.';
      COMMENT ON COLUMN bookings.answers IS 'Answers to the questions of the booking page, with the questions.';
      COMMENT ON COLUMN bookings.confirm_until IS
        'A free booking of a stranger is held until then, unpublished, for the link in the mail to confirm it.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE bookings DROP COLUMN source, DROP COLUMN guest_billing, DROP COLUMN answers,
        DROP COLUMN terms_version, DROP COLUMN terms_accepted_at, DROP COLUMN confirm_until`);
  }
}
