import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A guest's bookings by start: for lists of guests, each with their latest booking. The previous release finds a guest with
 * `bookings_by_guest` and `bookings_by_guest_address`, which stay until no process of it runs.
 */
export class GuestPages1764372003000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS bookings_guest_page`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY bookings_guest_page
       ON bookings (workspace_id, (coalesce(guest_address, lower(guest_email))), start_at, id)
       WHERE guest_email IS NOT NULL`,
    );
    await runner.query(`ANALYZE bookings`);
    for (const index of ['bookings_by_guest', 'bookings_by_guest_address'])
      await runner.query(`COMMENT ON INDEX ${index} IS 'Unused since bookings_guest_page.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of ['bookings_by_guest', 'bookings_by_guest_address'])
      await runner.query(`COMMENT ON INDEX ${index} IS NULL`);
    await runner.query(`DROP INDEX CONCURRENTLY bookings_guest_page`);
  }
}
