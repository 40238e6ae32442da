import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds what dead creates left without a look at what is published: who looks at a calendar asks for it each time. */
export class UnpublishedBookings1763830000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query(
      `CREATE INDEX bookings_unpublished ON bookings (workspace_id, created_at) WHERE published_at IS NULL`,
    );
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query(`DROP INDEX bookings_unpublished`);
  }
}
