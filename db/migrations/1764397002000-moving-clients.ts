import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which client has asked for a move by a manage link, so that what it holds unpaid can be summed. */
export class MovingClients1764397002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE booking_changes ADD COLUMN client bytea;
      COMMENT ON COLUMN booking_changes.client IS 'A digest of the client that asks for it by a manage link, until it is finished.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE booking_changes DROP COLUMN client`);
  }
}
