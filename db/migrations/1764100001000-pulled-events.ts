import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events that were read from the processor's list, and not sent by it. */
export class PulledEvents1764100001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE processor_events DROP CONSTRAINT processor_events_via_check,
        ADD CONSTRAINT processor_events_via_check CHECK (via IN ('platform', 'connect', 'pull')) NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE processor_events DROP CONSTRAINT processor_events_via_check,
        ADD CONSTRAINT processor_events_via_check CHECK (via IN ('platform', 'connect')) NOT VALID`);
  }
}
