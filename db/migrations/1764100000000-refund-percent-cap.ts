import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The maximum percentage that refund steps refund, of a payment and of hour credits, after a booking was moved. */
export class RefundPercentCap1764100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['payments', 'bookings'])
      await runner.query(
        `ALTER TABLE ${table} ADD refund_percent_cap double precision NOT NULL DEFAULT 100
           CHECK (refund_percent_cap BETWEEN 0 AND 100)`,
      );
    await runner.query(
      `COMMENT ON COLUMN payments.refund_percent_cap IS
         'The lowest refund step that was in force when the booking was moved after this payment.'`,
    );
    await runner.query(
      `COMMENT ON COLUMN bookings.refund_percent_cap IS
         'The lowest refund step that was in force when the booking was moved. Hour credits come back at 100 only.'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['payments', 'bookings'])
      await runner.query(`ALTER TABLE ${table} DROP refund_percent_cap`);
  }
}
