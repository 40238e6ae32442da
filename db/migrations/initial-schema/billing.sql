-- Separate from the workspace's row, so that numbering an invoice does not wait for edits of the workspace.
CREATE TABLE invoice_counters (
  workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces,
  last_number integer NOT NULL DEFAULT 0
);

CREATE TABLE invoices (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  number integer NOT NULL,
  kind text NOT NULL DEFAULT 'booking' CHECK (kind IN ('booking', 'ad_hoc', 'adjustment', 'subscription')),
  status text NOT NULL
    CHECK (status IN ('draft', 'open', 'authorised', 'paid', 'void', 'cancelled', 'refunded')),
  currency char(3) NOT NULL,
  net_minor bigint NOT NULL,
  tax_minor bigint NOT NULL,
  total_minor bigint NOT NULL,
  due_at timestamptz(3) NOT NULL,
  company_id uuid REFERENCES companies,
  member_id text COLLATE "C" REFERENCES members,
  booking_id text COLLATE "C" UNIQUE REFERENCES bookings,
  adjusts text COLLATE "C" REFERENCES invoices,
  reference text,
  period_start date,
  period_end date,
  accounting_id text,
  accounting_reference text NOT NULL,
  accounting_error text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  paid_at timestamptz(3),
  voided_at timestamptz(3),
  cancelled_at timestamptz(3),
  UNIQUE (workspace_id, number),
  CONSTRAINT invoices_total_is_net_plus_tax CHECK (total_minor = net_minor + tax_minor),
  CONSTRAINT invoices_period_of_subscriptions CHECK ((kind = 'subscription') = (period_start IS NOT NULL)),
  CONSTRAINT invoices_adjustments_adjust CHECK ((kind = 'adjustment') = (adjusts IS NOT NULL))
);
COMMENT ON COLUMN invoices.number IS 'Sequential in the workspace, without gaps.';
COMMENT ON COLUMN invoices.adjusts IS 'For an adjustment, the invoice whose difference it charges.';
COMMENT ON COLUMN invoices.accounting_error IS 'Why the invoice is not in the accounting system, or differs there.';
CREATE INDEX invoices_page ON invoices (workspace_id, created_at DESC, id DESC);
CREATE INDEX invoices_draft ON invoices (workspace_id, id) WHERE status = 'draft';
CREATE INDEX invoices_payable ON invoices (workspace_id, id) WHERE status IN ('open', 'authorised');
-- One subscription invoice per payer and period.
CREATE UNIQUE INDEX invoices_subscription_key
  ON invoices (workspace_id, coalesce(company_id::text, member_id), period_start) WHERE kind = 'subscription';
ALTER TABLE bookings ADD FOREIGN KEY (invoice_id) REFERENCES invoices;

-- A debit creates another invoice; a credit creates refunds.
CREATE TABLE adjustments (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  invoice_id text COLLATE "C" NOT NULL REFERENCES invoices,
  kind text NOT NULL CHECK (kind IN ('debit', 'credit')),
  net_minor bigint NOT NULL,
  tax_minor bigint NOT NULL,
  total_minor bigint NOT NULL,
  lines jsonb NOT NULL,
  reason text NOT NULL,
  debit_invoice_id text COLLATE "C" REFERENCES invoices,
  accounting_id text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT adjustments_total_and_sign
    CHECK (total_minor = net_minor + tax_minor AND (kind = 'debit') = (total_minor > 0)),
  CONSTRAINT adjustments_debits_have_an_invoice CHECK ((kind = 'debit') = (debit_invoice_id IS NOT NULL))
);
COMMENT ON COLUMN adjustments.accounting_id IS 'The credit note''s id in the accounting system.';
CREATE INDEX adjustments_by_invoice ON adjustments (invoice_id);

-- Payments and refunds. invoice_id is null only for the payment of a checkout whose create had failed, so that there
-- never was an invoice: it is refunded immediately.
CREATE TABLE payments (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  invoice_id text COLLATE "C" REFERENCES invoices,
  booking_id text COLLATE "C",
  kind text NOT NULL CHECK (kind IN ('charge', 'top_up', 'manual', 'refund')),
  status text NOT NULL
    CHECK (status IN ('pending', 'succeeded', 'failed', 'partially_refunded', 'refunded', 'disputed')),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  refunded_minor bigint NOT NULL DEFAULT 0,
  excess_minor bigint NOT NULL DEFAULT 0,
  currency char(3) NOT NULL,
  method text NOT NULL,
  account_id text,
  processor_payment_intent_id text,
  processor_refund_id text UNIQUE,
  refund_of text COLLATE "C" REFERENCES payments,
  adjustment_id text COLLATE "C" REFERENCES adjustments,
  reference text,
  notify_payer boolean NOT NULL DEFAULT true,
  reason text,
  source text,
  refusal jsonb,
  paid_at timestamptz(3),
  settled_at timestamptz(3),
  disputed_at timestamptz(3),
  dispute_reported_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT payments_refunded_at_most_once CHECK (refunded_minor BETWEEN 0 AND amount_minor),
  CONSTRAINT payments_excess_within_amount CHECK (excess_minor BETWEEN 0 AND amount_minor),
  CONSTRAINT payments_refunds_refund CHECK ((kind = 'refund') = (refund_of IS NOT NULL))
);
COMMENT ON COLUMN payments.refunded_minor IS 'Refunded, or reserved for a pending refund.';
COMMENT ON COLUMN payments.excess_minor IS 'The part of the payment that exceeded the amount due and was refunded.';
COMMENT ON COLUMN payments.account_id IS 'The connected account at the processor; null for a manual payment.';
COMMENT ON COLUMN payments.notify_payer IS 'For a refund: whether its payer gets mail.';
COMMENT ON COLUMN payments.refusal IS 'Why the payment was refunded on receipt; every later call gets the same response.';
COMMENT ON COLUMN payments.dispute_reported_at IS
  'When the processor sent the last dispute event that was applied; events can arrive out of order.';
CREATE INDEX payments_page ON payments (workspace_id, created_at DESC, id DESC);
CREATE INDEX payments_by_invoice ON payments (invoice_id);
CREATE INDEX payments_refund_of ON payments (refund_of) WHERE refund_of IS NOT NULL;
CREATE INDEX payments_refunds_pending ON payments (created_at) WHERE kind = 'refund' AND status = 'pending';
CREATE UNIQUE INDEX payments_intent_key ON payments (processor_payment_intent_id) WHERE kind <> 'refund';

CREATE TABLE invoice_lines (
  invoice_id text COLLATE "C" NOT NULL REFERENCES invoices,
  position integer NOT NULL,
  description text NOT NULL,
  quantity numeric(14, 4) NOT NULL,
  unit_amount_minor bigint NOT NULL,
  tax_code text NOT NULL,
  tax_rate_bps integer NOT NULL,
  net_minor bigint NOT NULL,
  tax_minor bigint NOT NULL,
  payment_id text COLLATE "C" REFERENCES payments,
  PRIMARY KEY (invoice_id, position)
);
COMMENT ON COLUMN invoice_lines.payment_id IS
  'The top-up that paid a line added later; it is a separate document in the accounting system.';

-- One row per checkout, written before it is requested from the processor: a session whose response was lost is still
-- known here. booking_id has no foreign key, since a failed create deletes its booking.
CREATE TABLE checkouts (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  booking_id text COLLATE "C" UNIQUE,
  invoice_id text COLLATE "C" REFERENCES invoices,
  owner_id text COLLATE "C" NOT NULL GENERATED ALWAYS AS (coalesce(booking_id, id)) STORED,
  account_id text NOT NULL,
  currency char(3) NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  description text NOT NULL,
  url text,
  session_id text UNIQUE,
  session_expires_at timestamptz(3) NOT NULL,
  state text NOT NULL DEFAULT 'opening'
    CHECK (state IN ('opening', 'open', 'abandoned', 'processing', 'paid', 'closed')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT checkouts_booking_or_invoice CHECK ((booking_id IS NULL) = (invoice_id IS NOT NULL))
);
COMMENT ON COLUMN checkouts.owner_id IS
  'The booking, or the checkout itself if it pays an invoice: the id of the workflow that waits for it.';
COMMENT ON COLUMN checkouts.state IS
  'opening: may have been requested; open: can be paid; abandoned: its create failed, so that any session must be
closed; processing: the payer is done, the payment is still in progress; paid and closed are final.';
CREATE UNIQUE INDEX checkouts_owner_key ON checkouts (owner_id);
CREATE UNIQUE INDEX checkouts_invoice_key ON checkouts (invoice_id) WHERE state IN ('opening', 'open', 'processing');
CREATE INDEX checkouts_unresolved ON checkouts (created_at) WHERE state NOT IN ('paid', 'closed');
CREATE INDEX checkouts_unresolved_by_account ON checkouts (workspace_id, account_id)
  WHERE state NOT IN ('paid', 'closed');

-- A line for the payer's next subscription invoice, such as the difference of an upgrade.
CREATE TABLE subscription_charges (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  company_id uuid REFERENCES companies,
  member_id text COLLATE "C" REFERENCES members,
  description text NOT NULL,
  net_minor bigint NOT NULL CHECK (net_minor > 0),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  invoice_id text COLLATE "C" REFERENCES invoices,
  CONSTRAINT subscription_charges_one_payer CHECK (num_nonnulls(company_id, member_id) = 1)
);
CREATE INDEX subscription_charges_pending ON subscription_charges (workspace_id, company_id, member_id)
  WHERE invoice_id IS NULL;

-- Upgrades to bill, stored in the transaction that changes the tier.
CREATE TABLE tier_changes (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  member_id text COLLATE "C" NOT NULL REFERENCES members,
  event_id text COLLATE "C" NOT NULL REFERENCES events,
  from_tier text NOT NULL,
  to_tier text NOT NULL,
  description text NOT NULL,
  net_minor bigint NOT NULL,
  state text NOT NULL DEFAULT 'requested' CHECK (state IN ('requested', 'priced', 'done')),
  subscription_id text,
  invoice_id text COLLATE "C" REFERENCES invoices,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  notified_at timestamptz(3),
  CONSTRAINT tier_changes_priced_by_subscription CHECK ((state = 'priced') <= (subscription_id IS NOT NULL))
);
COMMENT ON COLUMN tier_changes.description IS 'The text of the invoice line, without personal data.';
COMMENT ON COLUMN tier_changes.net_minor IS
  'Without tax; our own calculation until the processor has quoted the change.';
COMMENT ON COLUMN tier_changes.state IS
  'priced: the processor has quoted the change; its subscription must be updated.';
COMMENT ON COLUMN tier_changes.notified_at IS 'When the workflow that bills it was notified.';
CREATE INDEX tier_changes_to_notify ON tier_changes (workspace_id) WHERE notified_at IS NULL;
CREATE INDEX tier_changes_unfinished ON tier_changes (workspace_id, id) WHERE state <> 'done';

-- Events from the processor, by the processor's event id.
CREATE TABLE processor_events (
  id text COLLATE "C" PRIMARY KEY,
  type text NOT NULL,
  via text NOT NULL CHECK (via IN ('platform', 'connect')),
  account_id text,
  outcome text,
  received_at timestamptz(3) NOT NULL DEFAULT now(),
  handled_at timestamptz(3)
);
COMMENT ON COLUMN processor_events.handled_at IS 'Set once the event''s effect is durable.';

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

-- The processor's charges, for the duration of a reconciliation.
CREATE TABLE reconciliation_charges (
  reconciliation_id text COLLATE "C" NOT NULL REFERENCES reconciliations,
  charge_id text COLLATE "C" NOT NULL,
  payment_intent_id text COLLATE "C",
  amount_minor bigint NOT NULL,
  refunded_minor bigint NOT NULL,
  currency char(3) NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (reconciliation_id, charge_id)
);
