import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The unpaid bookings of a member are counted without reading all of theirs. */
export class UnpaidBookings1795343000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX bookings_unpaid_by_member ON bookings (member_id)
       WHERE status = 'pending_payment' AND member_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX bookings_unpaid_by_member`);
  }
}
