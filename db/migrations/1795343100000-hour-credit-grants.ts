import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Hour credits go back to the month they were taken from. */
export class HourCreditGrants1795343100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE members ADD hour_credit_grants integer NOT NULL DEFAULT 0`);
    await runner.query(
      `COMMENT ON COLUMN members.hour_credit_grants IS 'How many times the balance was set to the grant of a month.'`,
    );
    await runner.query(`ALTER TABLE bookings ADD hour_credit_grant integer`);
    await runner.query(
      `COMMENT ON COLUMN bookings.hour_credit_grant IS
         'hour_credit_grants of the member when the credits were taken. Null: none were.'`,
    );
    await runner.query(`UPDATE bookings SET hour_credit_grant = 0 WHERE hour_credits_used > 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE bookings DROP hour_credit_grant`);
    await runner.query(`ALTER TABLE members DROP hour_credit_grants`);
  }
}
