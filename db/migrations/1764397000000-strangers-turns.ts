import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The one mail that an address gets about unpaid bookings of strangers. */
export class StrangersTurns1764397000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE mail_recipients ADD COLUMN held_mailed_at timestamptz, ADD COLUMN held_booking_id text;
      COMMENT ON COLUMN mail_recipients.held_mailed_at IS 'When the address had its last mail about an unpaid booking of a stranger.';
      COMMENT ON COLUMN mail_recipients.held_booking_id IS 'The booking of that mail. Another one has mail once this one is paid or proven, or a day later.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE mail_recipients DROP COLUMN held_mailed_at, DROP COLUMN held_booking_id`);
  }
}
