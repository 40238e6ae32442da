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
  overdue_at timestamptz(3),
  sent_at timestamptz(3),
  opened_by text COLLATE "C",
  parties jsonb,
  UNIQUE (workspace_id, number),
  CONSTRAINT invoices_total_is_net_plus_tax CHECK (total_minor = net_minor + tax_minor),
  CONSTRAINT invoices_period_of_subscriptions CHECK ((kind = 'subscription') = (period_start IS NOT NULL)),
  CONSTRAINT invoices_adjustments_adjust CHECK ((kind = 'adjustment') = (adjusts IS NOT NULL))
);
COMMENT ON COLUMN invoices.number IS 'Sequential in the workspace, without gaps.';
COMMENT ON COLUMN invoices.adjusts IS 'For an adjustment, the invoice whose difference it charges.';
COMMENT ON COLUMN invoices.accounting_error IS 'Why the invoice is not in the accounting system, or differs there.';
COMMENT ON COLUMN invoices.opened_by IS
  'The workflow id of the job that opened a subscription invoice; null for all other invoices.';
COMMENT ON COLUMN invoices.sent_at IS 'When a mail server last accepted the invoice for its payer.';
COMMENT ON COLUMN invoices.overdue_at IS 'When its collection had tried everything.';
COMMENT ON COLUMN invoices.parties IS
  'Seller and company when it was opened; null for a draft. A person is not copied.';
CREATE INDEX invoices_page ON invoices (workspace_id, created_at DESC, id DESC);
CREATE INDEX invoices_draft ON invoices (workspace_id, id) WHERE status = 'draft';
CREATE INDEX invoices_payable ON invoices (workspace_id, id) WHERE status IN ('open', 'authorised');
CREATE INDEX invoices_opened_by ON invoices (opened_by) WHERE opened_by IS NOT NULL;
CREATE INDEX invoices_by_member ON invoices (member_id, created_at DESC) WHERE member_id IS NOT NULL;
CREATE INDEX invoices_by_company ON invoices (company_id, created_at DESC) WHERE company_id IS NOT NULL;
CREATE INDEX invoices_payable_by_company ON invoices (company_id) WHERE status IN ('open', 'authorised');
CREATE INDEX invoices_payable_by_member ON invoices (member_id) WHERE status IN ('open', 'authorised');
CREATE INDEX invoices_ended_page ON invoices (workspace_id, status, created_at DESC, id DESC)
  WHERE status NOT IN ('open', 'paid');
CREATE INDEX invoices_rejected ON invoices (workspace_id) WHERE accounting_error IS NOT NULL;
CREATE INDEX invoices_adjusting ON invoices (adjusts) WHERE adjusts IS NOT NULL;
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
CREATE INDEX adjustments_by_debit ON adjustments (debit_invoice_id) WHERE debit_invoice_id IS NOT NULL;

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
  payment_id text COLLATE "C",
  PRIMARY KEY (invoice_id, position)
);
COMMENT ON COLUMN invoice_lines.payment_id IS
  'The top-up that paid a line added later; it is a separate document in the accounting system.';
