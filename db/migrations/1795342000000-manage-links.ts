import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Links with which payers manage their bookings, and what payers are told about the workspace. Each statement commits:
 * one that locks a table must not wait for another table, or read all bookings, while the lock is held. It can be run
 * again.
 */
export class ManageLinks1795342000000 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE bookings ADD IF NOT EXISTS manage_link_version int DEFAULT 1`);
    await runner.query(
      `COMMENT ON COLUMN bookings.manage_link_version IS
         'Part of what the link is signed for: another version ends the links before. Null: there is no link.'`,
    );
    await runner.query(
      `UPDATE bookings b SET manage_link_version = NULL
       WHERE manage_link_version IS NOT NULL AND (guest_erased_at IS NOT NULL
          OR EXISTS (SELECT FROM members m WHERE m.id = b.member_id AND m.email IS NULL))`,
    );
    await runner.query(`ALTER TABLE rooms ADD IF NOT EXISTS self_service boolean NOT NULL DEFAULT true`);
    await runner.query(
      `ALTER TABLE workspaces ADD IF NOT EXISTS booking_url text, ADD IF NOT EXISTS contact_email text`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspaces DROP booking_url, DROP contact_email`);
    await runner.query(`ALTER TABLE rooms DROP self_service`);
    await runner.query(`ALTER TABLE bookings DROP manage_link_version`);
  }
}
