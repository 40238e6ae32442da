-- Comparisons of the processor, the ledger and the accounting system.
CREATE TABLE reconciliations (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  from_at timestamptz(3) NOT NULL,
  to_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  report jsonb
);
COMMENT ON COLUMN reconciliations.from_at IS '[from_at, to_at) of the invoices'' created_at.';
COMMENT ON COLUMN reconciliations.report IS 'Null until the run has finished.';
CREATE INDEX reconciliations_running ON reconciliations (workspace_id, from_at, to_at) WHERE report IS NULL;

-- The processor's charges, for the duration of a reconciliation.
CREATE TABLE reconciliation_charges (
  reconciliation_id text COLLATE "C" NOT NULL REFERENCES reconciliations,
  charge_id text COLLATE "C" NOT NULL,
  payment_intent_id text COLLATE "C",
  owner_id text COLLATE "C",
  amount_minor bigint NOT NULL,
  refunded_minor bigint NOT NULL,
  currency char(3) NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (reconciliation_id, charge_id)
);
COMMENT ON COLUMN reconciliation_charges.owner_id IS
  'The booking or checkout in the charge''s metadata; null if the service did not create the payment.';

-- The processor's disputes, while a run compares.
CREATE TABLE reconciliation_disputes (
  reconciliation_id text COLLATE "C" NOT NULL REFERENCES reconciliations,
  dispute_id text COLLATE "C" NOT NULL,
  payment_intent_id text COLLATE "C" NOT NULL,
  withdrawn_minor bigint NOT NULL,
  PRIMARY KEY (reconciliation_id, dispute_id)
);
