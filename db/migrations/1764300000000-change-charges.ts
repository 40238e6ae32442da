import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The charge of a change is a checkout, as that of an invoice is. The column is not `change_id`: the release before, which still
 * runs, takes every row with a `change_id` for the hosted page. Changes that are being charged meanwhile get their row when
 * their charge is next looked at.
 */
export class ChangeCharges1764300000000 implements MigrationInterface {
  /** Creates an index concurrently. Each statement may run again. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE checkouts ADD COLUMN IF NOT EXISTS charged_change_id text COLLATE "C"`);
    await runner.query(`
      ALTER TABLE checkouts DROP CONSTRAINT IF EXISTS checkouts_charged_change_id_fkey,
        ADD CONSTRAINT checkouts_charged_change_id_fkey FOREIGN KEY (charged_change_id) REFERENCES booking_changes NOT VALID`);
    await runner.query(`
      ALTER TABLE checkouts DROP CONSTRAINT checkouts_booking_or_invoice, ADD CONSTRAINT checkouts_booking_or_invoice
        CHECK (num_nonnulls(booking_id, invoice_id, change_id, charged_change_id) = 1) NOT VALID`);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS checkouts_charged_change_key`);
    await runner.query(`
      CREATE UNIQUE INDEX CONCURRENTLY checkouts_charged_change_key ON checkouts (charged_change_id)
      WHERE charged_change_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE checkouts DROP COLUMN charged_change_id`);
    await runner.query(`
      ALTER TABLE checkouts ADD CONSTRAINT checkouts_booking_or_invoice
        CHECK (num_nonnulls(booking_id, invoice_id, change_id) = 1) NOT VALID`);
  }
}
