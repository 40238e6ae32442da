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
  invoice_details text,
  refuse_overdue_payers boolean NOT NULL DEFAULT false,
  return_url text,
  booking_url text,
  contact_email text,
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
COMMENT ON COLUMN workspaces.tier_prices IS 'The monthly price of each tier, without tax, in minor units of the currency.';
COMMENT ON COLUMN workspaces.invoice_details IS 'The issuer''s details printed on invoices: name, address, tax number, bank.';
COMMENT ON COLUMN workspaces.processor_due_by IS
  'When the processor restricts the account unless its operator has submitted what it requires.';
COMMENT ON COLUMN workspaces.processor_problem IS
  'Why the processor has restricted the account, in its own code; payouts_disabled if it says nothing more.';
COMMENT ON COLUMN workspaces.refuse_overdue_payers IS 'Payers with an overdue invoice cannot book on account.';

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

-- The Idempotency-Key header. A key is bound in the transaction that creates its object, so that a crash leaves
-- either both or neither.
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
