-- Every row of every table belongs to a workspace, directly or through its parent.

CREATE TABLE workspaces (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  time_zone text NOT NULL,
  currency char(3) NOT NULL,
  checkout_hold_seconds integer NOT NULL DEFAULT 1800 CHECK (checkout_hold_seconds BETWEEN 10 AND 86400),
  processor_account_id text,
  processor_status text NOT NULL DEFAULT 'unconfigured'
    CHECK (processor_status IN ('unconfigured', 'pending', 'active', 'revoked')),
  processor_due_by timestamptz(3),
  processor_problem text,
  tax_codes jsonb NOT NULL,
  tier_prices jsonb NOT NULL DEFAULT '{"basic": 0, "plus": 0, "pro": 0, "enterprise": 0}',
  plans jsonb NOT NULL DEFAULT '{}',
  prices_entered text NOT NULL DEFAULT 'net' CHECK (prices_entered IN ('net', 'gross')),
  invoice_details text,
  invoice_prefix text NOT NULL DEFAULT 'HF',
  legal_name text,
  legal_address text,
  tax_number text,
  tax_name text NOT NULL DEFAULT 'VAT',
  payment_instructions text,
  desk_refund_limit_minor bigint NOT NULL DEFAULT 0,
  refuse_overdue_payers boolean NOT NULL DEFAULT false,
  require_second_factor boolean NOT NULL DEFAULT false,
  return_url text,
  booking_url text,
  contact_email text,
  csv jsonb NOT NULL DEFAULT '{"decimal": "point", "separator": "comma"}',
  notify_staff jsonb NOT NULL DEFAULT '{}',
  digest_at timestamptz(3),
  digest_position bigint NOT NULL DEFAULT 0,
  locale text NOT NULL DEFAULT 'en',
  logo_url text,
  accent_color text,
  maintenance_starts_at timestamptz(3),
  maintenance_ends_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT workspaces_processor_account_key UNIQUE (processor_account_id),
  CONSTRAINT workspaces_maintenance_window CHECK (
    (maintenance_starts_at IS NULL) = (maintenance_ends_at IS NULL)
    AND maintenance_starts_at < maintenance_ends_at
  )
);
COMMENT ON COLUMN workspaces.tier_prices IS
  'The monthly price of each tier, without tax, in minor units of the currency.';
COMMENT ON COLUMN workspaces.plans IS
  'Name and monthly hours of each tier; what is missing or null is the default of the service.';
COMMENT ON COLUMN workspaces.invoice_details IS
  'The issuer''s details printed on invoices: name, address, tax number, bank.';
COMMENT ON COLUMN workspaces.invoice_prefix IS
  'Before the number of each invoice that is created from now on.';
COMMENT ON COLUMN workspaces.desk_refund_limit_minor IS
  'The most that front_desk can refund against the terms of a room, in minor units of currency.';
COMMENT ON COLUMN workspaces.processor_due_by IS
  'When the processor restricts the account unless its operator has submitted what it requires.';
COMMENT ON COLUMN workspaces.processor_problem IS
  'Why the processor has restricted the account, in its own code; payouts_disabled if it says nothing more.';
COMMENT ON COLUMN workspaces.refuse_overdue_payers IS
  'Payers with an overdue invoice cannot book on account.';
COMMENT ON COLUMN workspaces.csv IS 'How files for spreadsheets are written.';
COMMENT ON COLUMN workspaces.notify_staff IS 'Which mail about bookings staff get; what is missing is off.';
COMMENT ON COLUMN workspaces.digest_at IS 'When the outbox relay queues the next daily mail; null for none.';
COMMENT ON COLUMN workspaces.digest_position IS 'Of the last event that a daily mail has told of.';
COMMENT ON COLUMN workspaces.accent_color IS
  'Of buttons and headings in mail and on pages of payers, as #rrggbb.';
CREATE INDEX workspaces_to_digest ON workspaces (digest_at) WHERE digest_at IS NOT NULL;

CREATE TABLE used_quotas (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  kind text NOT NULL CHECK (kind IN ('rooms', 'companies', 'members')),
  used integer NOT NULL,
  PRIMARY KEY (workspace_id, kind)
);
COMMENT ON TABLE used_quotas IS 'How many objects of a kind a workspace has, which its quotas limit.';

-- For which workspaces a job that goes through all of them fails, and since when.
CREATE TABLE job_failures (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  job text NOT NULL,
  reason text NOT NULL,
  since timestamptz(3) NOT NULL DEFAULT now(),
  again boolean NOT NULL DEFAULT true,
  PRIMARY KEY (workspace_id, job)
);
COMMENT ON COLUMN job_failures.reason IS 'The message of the error. For the operator of the service.';
COMMENT ON COLUMN job_failures.again IS
  'It failed in the current run too. A run that ends deletes what did not.';

-- Configuration changes, stored in the transaction that makes them.
CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  at timestamptz(3) NOT NULL DEFAULT now(),
  action text NOT NULL,
  actor jsonb NOT NULL,
  object text NOT NULL,
  details jsonb NOT NULL
);
COMMENT ON COLUMN audit_log.object IS 'The id of the changed object.';
CREATE INDEX audit_log_page ON audit_log (workspace_id, at, id);
CREATE INDEX audit_log_by_action ON audit_log (workspace_id, action, at, id);

-- The chain of each workspace's audit log. The trigger adds the link of an entry when its transaction
-- commits.
CREATE TABLE audit_links (
  workspace_id text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  entry bigint NOT NULL UNIQUE,
  salt uuid,
  digest bytea NOT NULL,
  hash bytea NOT NULL,
  stored_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, position)
);
COMMENT ON COLUMN audit_links.salt IS 'Null once the entry was erased: its digest then shows nothing of it.';
COMMENT ON COLUMN audit_links.hash IS 'Of the hash before and of this link.';
CREATE CONSTRAINT TRIGGER audit_log_chain AFTER INSERT ON audit_log DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION chain_audit_entry();

-- The Idempotency-Key header. A key is bound in the transaction that creates its object, so that a crash
-- leaves either both or neither.
CREATE TABLE idempotency_keys (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  key text COLLATE "C" NOT NULL,
  fingerprint bytea NOT NULL,
  object_id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, key)
);
COMMENT ON COLUMN idempotency_keys.fingerprint IS 'SHA-256 of the request that was sent with the key.';
CREATE INDEX idempotency_keys_by_creation ON idempotency_keys USING brin (created_at);
