import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One of the functions that are applied after all migrations; the index needs it before. */
const SEARCH_TEXT = readFileSync(new URL('../functions/search_text.sql', import.meta.url), 'utf8');

/**
 * Bookings are found by their guest, and by what the guest's documents print, whatever the accents. The previous release searches with `bookings_guest_search`, which
 * stays until no process of it runs.
 */
export class BookingSearch1764372000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SEARCH_TEXT);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS bookings_guest_words`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY bookings_guest_words ON bookings
       USING gin (workspace_id, search_text(guest_name || ' ' || guest_email
         || coalesce(' ' || (guest_billing ->> 'company'), '') || coalesce(' ' || (guest_billing ->> 'vat_number'), '')
         || coalesce(' ' || (guest_billing ->> 'order_reference'), '')) gin_trgm_ops) WITH (fastupdate = off)`,
    );
    // Without statistics of the expression, every word counts as rare.
    await runner.query(`ANALYZE bookings`);
    await runner.query(`COMMENT ON INDEX bookings_guest_search IS 'Unused since bookings_guest_words.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`COMMENT ON INDEX bookings_guest_search IS NULL`);
    await runner.query(`DROP INDEX CONCURRENTLY bookings_guest_words`);
  }
}
