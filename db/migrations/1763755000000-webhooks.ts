import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Outgoing webhooks: an order of events that readers can page by, endpoints, the queue, attempts, mail to owners. */
export class Webhooks1763755000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    for (const statement of REVERSE) await query.query(statement);
  }
}

const STATEMENTS = [
  // As text, an event is sent and shown byte for byte as it was stored.
  `ALTER TABLE events ALTER body TYPE json USING body::json`,
  // ordinal is taken at the insert: of one object's events the earlier has the smaller one. position is given after
  // the commit, one relay at a time, without gaps: what is placed later is always behind what readers have seen.
  `ALTER TABLE events ADD ordinal bigint GENERATED ALWAYS AS IDENTITY`,
  `ALTER TABLE events ADD position bigint`,
  `CREATE UNIQUE INDEX events_page ON events (workspace_id, position) WHERE position IS NOT NULL`,
  `CREATE INDEX events_unplaced ON events (workspace_id, ordinal) WHERE position IS NULL`,

  // All events up to sent_up_to were sent or wait in webhook_retries. revision rises with each change that a delivery
  // under way must heed. wake_at is when the delivery run should be told to look; null while there is nothing to
  // send. A run that is awake looks by itself before it goes to sleep.
  `CREATE TABLE webhook_endpoints (
    workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces,
    id text COLLATE "C" NOT NULL UNIQUE,
    url text NOT NULL,
    event_types text[] NOT NULL,
    status text NOT NULL DEFAULT 'enabled' CHECK (status IN ('enabled', 'disabled')),
    disabled_reason text CHECK (disabled_reason IN ('receiver_gone', 'receiver_failing')),
    secret bytea NOT NULL,
    previous_secret bytea,
    previous_secret_until timestamptz(3),
    sent_up_to bigint NOT NULL,
    failing_since timestamptz(3),
    awake boolean NOT NULL DEFAULT false,
    wake_at timestamptz(3),
    revision integer NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CHECK ((status = 'disabled') = (disabled_reason IS NOT NULL)),
    CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL))
  )`,
  `CREATE INDEX webhook_endpoints_to_wake ON webhook_endpoints (wake_at) WHERE wake_at IS NOT NULL`,

  // Events that failed, and those of the same object that wait behind them.
  `CREATE TABLE webhook_retries (
    event_id text COLLATE "C" PRIMARY KEY REFERENCES events,
    workspace_id text COLLATE "C" NOT NULL REFERENCES webhook_endpoints ON DELETE CASCADE,
    object_id text COLLATE "C" NOT NULL,
    position bigint NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX webhook_retries_order ON webhook_retries (workspace_id, object_id, position)`,

  // Attempts. Their workspace is their event's, which the foreign key vouches for.
  `CREATE TABLE webhook_deliveries (
    event_id text COLLATE "C" NOT NULL REFERENCES events,
    attempt integer NOT NULL,
    workspace_id text COLLATE "C" NOT NULL,
    at timestamptz(3) NOT NULL,
    status_code integer,
    duration_ms integer NOT NULL,
    error text,
    response_excerpt text,
    PRIMARY KEY (event_id, attempt)
  )`,

  // Mail that is owed to a workspace's owner, whoever that is when it is sent. Once a run has it, that run sends it.
  `CREATE TABLE owner_mails (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    kind text NOT NULL,
    about text COLLATE "C" NOT NULL,
    details jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    handed_over_at timestamptz(3),
    sent_at timestamptz(3),
    UNIQUE (workspace_id, kind, about)
  )`,
  `CREATE INDEX owner_mails_to_hand_over ON owner_mails (created_at) WHERE handed_over_at IS NULL`,
];

const REVERSE = [
  `DROP TABLE owner_mails`,
  `DROP TABLE webhook_deliveries`,
  `DROP TABLE webhook_retries`,
  `DROP TABLE webhook_endpoints`,
  `ALTER TABLE events DROP position`,
  `ALTER TABLE events DROP ordinal`,
  `ALTER TABLE events ALTER body TYPE jsonb USING body::jsonb`,
];
