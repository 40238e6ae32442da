import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A payment at the desk is requested as a change of its booking is, since the booking's run makes it. */
export class DeskPayments1764320000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE booking_changes DROP CONSTRAINT booking_changes_kind_check, ADD CONSTRAINT booking_changes_kind_check
        CHECK (kind IN ('change', 'cancel', 'payment')) NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE booking_changes DROP CONSTRAINT booking_changes_kind_check, ADD CONSTRAINT booking_changes_kind_check
        CHECK (kind IN ('change', 'cancel')) NOT VALID`);
  }
}
