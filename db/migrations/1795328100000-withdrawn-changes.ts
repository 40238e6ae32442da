import type { MigrationInterface, QueryRunner } from 'typeorm';

const setStates = (states: string): string => `
  ALTER TABLE booking_changes DROP CONSTRAINT booking_changes_state_check,
    ADD CONSTRAINT booking_changes_state_check CHECK (state IN (${states}))`;

/** Changes that ended while their charge was pending are followed until the charge has ended too. */
export class WithdrawnChanges1795328100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(setStates(`'requested', 'charging', 'withdrawn', 'done', 'refused'`));
    await runner.query(`
      COMMENT ON COLUMN booking_changes.state IS
        'charging: the outcome of the charge is unknown; withdrawn: likewise, but the change will not be made any more.';
      CREATE INDEX booking_changes_unsettled ON booking_changes (created_at) WHERE state IN ('charging', 'withdrawn');
      DROP INDEX booking_changes_charging;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE booking_changes SET state = 'refused' WHERE state = 'withdrawn';
      DROP INDEX booking_changes_unsettled;
      CREATE INDEX booking_changes_charging ON booking_changes (created_at) WHERE state = 'charging';
      COMMENT ON COLUMN booking_changes.state IS NULL;
    `);
    await runner.query(setStates(`'requested', 'charging', 'done', 'refused'`));
  }
}
