import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which bookings have used discount codes. */
export class DiscountRedemptions1764375001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE discount_redemptions (
        booking_id text COLLATE "C" PRIMARY KEY REFERENCES bookings ON DELETE CASCADE,
        discount_id uuid NOT NULL REFERENCES discounts,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      );
      CREATE INDEX discount_redemptions_by_discount ON discount_redemptions (discount_id);
      COMMENT ON TABLE discount_redemptions IS 'Deleted when a booking ends unpaid; kept when it is refunded.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE discount_redemptions`);
  }
}
