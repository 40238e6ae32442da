import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which client holds a room without having paid, so that what it holds can be summed. */
export class HoldingClients1764397001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE booking_requests ADD COLUMN client bytea;
      COMMENT ON COLUMN booking_requests.client IS 'A digest of the client of a stranger, while their booking is unpaid.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE booking_requests DROP COLUMN client`);
  }
}
