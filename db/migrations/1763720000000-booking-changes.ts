import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Changes and cancellations of bookings, hours paid with tokens, and mails of which a booking can owe several. */
export class BookingChanges1763720000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    for (const statement of REVERSE) await query.query(statement);
  }
}

const STATEMENTS = [
  // One row per PATCH or cancel that was asked for, stored before the booking's run hears of its id. request is
  // emptied when it is done: what it asked for is on the booking by then. plan is what a dearer change will make of
  // the booking once the difference is paid; while it is there the booking holds both places.
  `CREATE TABLE booking_changes (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    booking_id text COLLATE "C" NOT NULL REFERENCES bookings,
    kind text NOT NULL CHECK (kind IN ('change', 'cancel')),
    actor jsonb NOT NULL,
    request jsonb,
    state text NOT NULL DEFAULT 'requested' CHECK (state IN ('requested', 'charging', 'done', 'refused')),
    plan jsonb,
    outcome jsonb,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    finished_at timestamptz(3),
    CHECK ((state = 'charging') <= (plan IS NOT NULL))
  )`,
  `CREATE INDEX booking_changes_of ON booking_changes (booking_id)`,
  `CREATE INDEX booking_changes_charging ON booking_changes (created_at) WHERE state = 'charging'`,
  `CREATE INDEX payments_refunds_pending ON payments (created_at) WHERE kind = 'refund' AND status = 'pending'`,

  `ALTER TABLE members ADD token_balance integer NOT NULL DEFAULT 0 CHECK (token_balance >= 0)`,
  `ALTER TABLE bookings ADD tokens_used integer NOT NULL DEFAULT 0 CHECK (tokens_used >= 0)`,

  // about: the change or refund that a mail tells of; a booking can have several.
  `ALTER TABLE mails ADD about text COLLATE "C" NOT NULL DEFAULT ''`,
  `ALTER TABLE mails DROP CONSTRAINT mails_booking_id_kind_key`,
  `ALTER TABLE mails ADD UNIQUE (booking_id, kind, about)`,
];

const REVERSE = [
  `ALTER TABLE mails DROP CONSTRAINT mails_booking_id_kind_about_key`,
  `DELETE FROM mails a USING mails b WHERE a.booking_id = b.booking_id AND a.kind = b.kind AND a.id > b.id`,
  `ALTER TABLE mails DROP about`,
  `ALTER TABLE mails ADD UNIQUE (booking_id, kind)`,
  `ALTER TABLE bookings DROP tokens_used`,
  `ALTER TABLE members DROP token_balance`,
  `DROP INDEX payments_refunds_pending`,
  `DROP TABLE booking_changes`,
];
