import type { MigrationInterface, QueryRunner } from 'typeorm';

const setStates = (states: string): string => `
  ALTER TABLE booking_changes DROP CONSTRAINT booking_changes_state_check,
    ADD CONSTRAINT booking_changes_state_check CHECK (state IN (${states}))`;

const setPlanned = (states: string): string => `
  ALTER TABLE booking_changes DROP CONSTRAINT booking_changes_charging_has_plan,
    ADD CONSTRAINT booking_changes_charging_has_plan CHECK ((state IN (${states})) <= (plan IS NOT NULL))`;

const setSubjects = (check: string): string => `
  ALTER TABLE checkouts DROP CONSTRAINT checkouts_booking_or_invoice,
    ADD CONSTRAINT checkouts_booking_or_invoice CHECK (${check})`;

/** Changes whose difference is paid on the hosted page. */
export class PendingChanges1795344000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      setStates(`'requested', 'charging', 'withdrawn', 'opening', 'pending', 'done', 'refused'`),
    );
    await runner.query(setPlanned(`'charging', 'opening', 'pending'`));
    await runner.query(`
      ALTER TABLE booking_changes ADD expires_at timestamptz(3),
        ADD on_authentication text NOT NULL DEFAULT 'fail' CHECK (on_authentication IN ('fail', 'link')),
        ADD CONSTRAINT booking_changes_pending_expires CHECK ((state = 'pending') <= (expires_at IS NOT NULL));
      COMMENT ON COLUMN booking_changes.state IS
        'charging: the outcome of the charge is unknown; withdrawn: likewise, but the change will not be made any more;
opening: its checkout is being opened; pending: the payer can pay it.';
      COMMENT ON COLUMN booking_changes.expires_at IS 'When a pending change lapses, unless it is paid.';
      COMMENT ON COLUMN booking_changes.on_authentication IS
        'What becomes of a difference that only the payer can pay: the change fails, or they get a link.';
      CREATE UNIQUE INDEX booking_changes_pending_key ON booking_changes (booking_id)
        WHERE state IN ('opening', 'pending');
    `);
    await runner.query(`
      ALTER TABLE checkouts ADD change_id text COLLATE "C" REFERENCES booking_changes;
      COMMENT ON COLUMN checkouts.change_id IS 'The change of a booking whose difference it pays.';
      COMMENT ON COLUMN checkouts.owner_id IS
        'The booking, or the checkout itself if it pays an invoice or a change of a booking.';
      CREATE UNIQUE INDEX checkouts_change_key ON checkouts (change_id) WHERE change_id IS NOT NULL;
    `);
    await runner.query(setSubjects('num_nonnulls(booking_id, invoice_id, change_id) = 1'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM checkouts WHERE change_id IS NOT NULL`);
    await runner.query(setSubjects('(booking_id IS NULL) = (invoice_id IS NOT NULL)'));
    await runner.query(`
      ALTER TABLE checkouts DROP change_id;
      COMMENT ON COLUMN checkouts.owner_id IS
        'The booking, or the checkout itself if it pays an invoice: the id of the workflow that waits for it.';
      UPDATE booking_changes SET state = 'refused' WHERE state IN ('opening', 'pending');
      DROP INDEX booking_changes_pending_key;
      ALTER TABLE booking_changes DROP expires_at, DROP on_authentication;
      COMMENT ON COLUMN booking_changes.state IS
        'charging: the outcome of the charge is unknown; withdrawn: likewise, but the change will not be made any more.';
    `);
    await runner.query(setPlanned(`'charging'`));
    await runner.query(setStates(`'requested', 'charging', 'withdrawn', 'done', 'refused'`));
  }
}
