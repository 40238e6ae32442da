import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addressKey } from '../address.js';

/**
 * The canonical address of a guest whose written one is not ASCII; for all others it is the written one in lower case,
 * which has an index already.
 */
export class GuestAddresses1764200011000 implements MigrationInterface {
  /** Creates an index concurrently. Each statement may run again. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE bookings ADD COLUMN IF NOT EXISTS guest_address text`);
    const bookings: { id: string; guest_email: string }[] = await runner.query(
      `SELECT id, guest_email FROM bookings
       WHERE octet_length(guest_email) <> char_length(guest_email) AND guest_address IS NULL`,
    );
    for (const { id, guest_email } of bookings)
      await runner.query(
        `UPDATE bookings SET guest_address = $2 WHERE id = (SELECT id FROM bookings WHERE id = $1 LIMIT 1)`,
        [id, addressKey(guest_email)],
      );
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS bookings_by_guest_address`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY bookings_by_guest_address ON bookings (workspace_id, guest_address)
       WHERE guest_address IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE bookings DROP COLUMN guest_address`);
  }
}
