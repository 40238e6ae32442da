-- Events, stored in the transaction that makes the change.
CREATE TABLE events (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  type text NOT NULL,
  object_id text COLLATE "C" NOT NULL,
  sequence integer NOT NULL,
  body json NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  ordinal bigint GENERATED ALWAYS AS IDENTITY,
  position bigint,
  UNIQUE (object_id, sequence)
);
COMMENT ON COLUMN events.sequence IS 'Increases by one with each event of the same object.';
COMMENT ON COLUMN events.body IS
  'json, not jsonb: an event is sent and shown byte for byte as it was stored.';
COMMENT ON COLUMN events.ordinal IS 'Assigned by the insert; orders the events of one object.';
COMMENT ON COLUMN events.position IS
  'Assigned after the commit, without gaps: an event that gets its position later is after all those '
  'already read.';
CREATE UNIQUE INDEX events_page ON events (workspace_id, position) WHERE position IS NOT NULL;
CREATE INDEX events_without_position ON events (workspace_id, ordinal) WHERE position IS NULL;

CREATE TABLE webhook_endpoints (
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
  is_delivering boolean NOT NULL DEFAULT false,
  notify_at timestamptz(3),
  revision integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT webhook_endpoints_disabled_for_a_reason
    CHECK ((status = 'disabled') = (disabled_reason IS NOT NULL)),
  CONSTRAINT webhook_endpoints_previous_secret_ends
    CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL))
);
COMMENT ON COLUMN webhook_endpoints.secret IS 'Encrypted, like the previous one; see db/encryption.ts.';
COMMENT ON COLUMN webhook_endpoints.sent_up_to IS
  'The position up to which every event was sent or is in webhook_retries.';
COMMENT ON COLUMN webhook_endpoints.is_delivering IS
  'The delivery workflow is sending and checks the queue again before it waits, so it needs no notification.';
COMMENT ON COLUMN webhook_endpoints.notify_at IS
  'When the delivery workflow must be notified; null while there is nothing to send.';
COMMENT ON COLUMN webhook_endpoints.revision IS
  'Increases with each change that must stop a running delivery.';
CREATE INDEX webhook_endpoints_to_notify ON webhook_endpoints (notify_at) WHERE notify_at IS NOT NULL;

-- Events whose delivery failed, and later events of the same objects, which wait behind them.
CREATE TABLE webhook_retries (
  event_id text COLLATE "C" PRIMARY KEY REFERENCES events,
  workspace_id text COLLATE "C" NOT NULL REFERENCES webhook_endpoints ON DELETE CASCADE,
  object_id text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX webhook_retries_order ON webhook_retries (workspace_id, object_id, position);

-- Delivery attempts. The workspace is the event's, which the foreign key guarantees.
CREATE TABLE webhook_deliveries (
  event_id text COLLATE "C" NOT NULL REFERENCES events,
  attempt integer NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  at timestamptz(3) NOT NULL,
  status_code integer,
  duration_ms integer NOT NULL,
  error text,
  response_excerpt text,
  PRIMARY KEY (event_id, attempt)
);
COMMENT ON COLUMN webhook_deliveries.status_code IS 'Null if there was no response.';
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (workspace_id, event_id)
  WHERE status_code IS NULL OR status_code NOT BETWEEN 200 AND 299;
