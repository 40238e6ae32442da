import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who has made the holds of a mailbox, so that others learn nothing about them. */
export class StrangerClients1764376004000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE booking_requests ADD COLUMN stranger bytea;
      COMMENT ON COLUMN booking_requests.stranger IS 'A digest of the mailbox and client of a stranger, by which their unpaid bookings are counted.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE booking_requests DROP COLUMN stranger`);
  }
}
