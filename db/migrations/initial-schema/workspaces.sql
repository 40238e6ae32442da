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
  processor_status_at timestamptz(3),
  tax_codes jsonb NOT NULL,
  tier_prices jsonb NOT NULL DEFAULT '{"basic": 0, "plus": 0, "pro": 0, "enterprise": 0}',
  invoice_details text,
  return_url text,
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
