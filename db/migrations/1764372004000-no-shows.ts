import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The no-shows of a workspace, which are few of its bookings. */
export class NoShows1764372004000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS bookings_no_show_page`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY bookings_no_show_page ON bookings (workspace_id, start_at, id)
       WHERE published_at IS NOT NULL AND no_show_at IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY bookings_no_show_page`);
  }
}
