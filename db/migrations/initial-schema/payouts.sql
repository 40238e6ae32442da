-- The payouts of connected accounts and what is in them, as the processor reports them.
CREATE TABLE payouts (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  account_id text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'in_transit', 'paid', 'failed', 'canceled')),
  automatic boolean NOT NULL,
  reconciled boolean NOT NULL,
  currency char(3) NOT NULL,
  amount_minor bigint NOT NULL,
  arrives_on date NOT NULL,
  failure_code text,
  created_at timestamptz(3) NOT NULL,
  entries_read_at timestamptz(3)
);
CREATE INDEX payouts_page ON payouts (workspace_id, created_at DESC, id DESC);
CREATE INDEX payouts_unread ON payouts (account_id) WHERE reconciled AND entries_read_at IS NULL;

CREATE TABLE payout_entries (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  payout_id text COLLATE "C" NOT NULL REFERENCES payouts,
  kind text NOT NULL CHECK (kind IN ('payment', 'refund', 'dispute', 'fee', 'other')),
  gross_minor bigint NOT NULL,
  fee_minor bigint NOT NULL,
  net_minor bigint NOT NULL CHECK (net_minor = gross_minor - fee_minor),
  payment_intent_id text,
  refund_id text,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX payout_entries_page ON payout_entries (payout_id, created_at DESC, id DESC);
