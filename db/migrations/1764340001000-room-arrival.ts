import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What bookers need to arrive at a room, and when they are reminded of their booking. */
export class RoomArrival1764340001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE rooms ADD COLUMN address text, ADD COLUMN directions text, ADD COLUMN access_notes text,
        ADD COLUMN reminder_hours integer;
      COMMENT ON COLUMN rooms.access_notes IS 'For bookers, from the confirmation on, such as a door code.';
      COMMENT ON COLUMN rooms.reminder_hours IS 'How long before the start of a booking its booker is reminded; null: not.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE rooms DROP COLUMN address, DROP COLUMN directions, DROP COLUMN access_notes,
        DROP COLUMN reminder_hours`);
  }
}
