import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the front desk may refund beyond a room's terms when it cancels a booking. */
export class DeskRefundLimit1764330002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE workspaces ADD COLUMN desk_refund_limit_minor bigint NOT NULL DEFAULT 0;
      COMMENT ON COLUMN workspaces.desk_refund_limit_minor IS
        'The most that front_desk can refund against the terms of a room, in minor units of currency.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspaces DROP COLUMN desk_refund_limit_minor`);
  }
}
