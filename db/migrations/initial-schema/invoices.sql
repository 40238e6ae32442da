-- Separate from the workspace's row, so that numbering an invoice does not wait for edits of the workspace.
CREATE TABLE invoice_counters (
  workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces,
  last_number integer NOT NULL DEFAULT 0,
  last_statement integer NOT NULL DEFAULT 0,
  last_document_number integer NOT NULL DEFAULT 0
);

CREATE TABLE invoice_number_gaps (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  first_number integer NOT NULL,
  last_number integer NOT NULL CHECK (last_number >= first_number),
  seen_by text NOT NULL CHECK (seen_by IN ('accounting', 'processor')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, first_number)
);
COMMENT ON TABLE invoice_number_gaps IS
  'Numbers of invoices that a restore has lost: they are not given again.';

CREATE TABLE document_number_gaps (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  first_number integer NOT NULL,
  last_number integer NOT NULL CHECK (last_number >= first_number),
  seen_by text NOT NULL CHECK (seen_by IN ('accounting', 'processor')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, first_number)
);
COMMENT ON TABLE document_number_gaps IS
  'Numbers of documents that a restore has lost: they are not given again.';

CREATE TABLE invoices (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  number integer NOT NULL,
  document_number text,
  document_ordinal integer,
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
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  paid_at timestamptz(3),
  voided_at timestamptz(3),
  cancelled_at timestamptz(3),
  overdue_at timestamptz(3),
  sent_at timestamptz(3),
  opened_by text COLLATE "C",
  parties jsonb,
  pay_link_version integer NOT NULL DEFAULT 1,
  UNIQUE (workspace_id, number),
  CONSTRAINT invoices_total_is_net_plus_tax CHECK (total_minor = net_minor + tax_minor),
  CONSTRAINT invoices_period_of_subscriptions CHECK ((kind = 'subscription') = (period_start IS NOT NULL)),
  CONSTRAINT invoices_adjustments_adjust CHECK ((kind = 'adjustment') = (adjusts IS NOT NULL))
);
COMMENT ON COLUMN invoices.number IS 'Sequential in the workspace, without gaps.';
COMMENT ON COLUMN invoices.document_number IS
  'On paper and in the books, with the prefix of its time. Null until it is issued, or sent to the books '
  'before that.';
COMMENT ON COLUMN invoices.document_ordinal IS 'In its document number. Null without one.';
COMMENT ON COLUMN invoices.adjusts IS 'For an adjustment, the invoice whose difference it charges.';
COMMENT ON COLUMN invoices.accounting_error IS
  'Why the invoice is not in the accounting system, or differs there.';
COMMENT ON COLUMN invoices.opened_by IS
  'The workflow id of the job that opened a subscription invoice; null for all other invoices.';
COMMENT ON COLUMN invoices.sent_at IS 'When a mail server last accepted the invoice for its payer.';
COMMENT ON COLUMN invoices.overdue_at IS 'When its collection had tried everything.';
COMMENT ON COLUMN invoices.parties IS
  'Seller and company when it was opened; null for a draft. A person is not copied.';
CREATE INDEX invoices_page ON invoices (workspace_id, created_at DESC, id DESC);
CREATE INDEX invoices_metadata ON invoices
  USING gin (workspace_id, metadata jsonb_path_ops) WITH (fastupdate = off) WHERE metadata <> '{}';
CREATE UNIQUE INDEX invoices_document_ordinal ON invoices (workspace_id, document_ordinal)
  WHERE document_ordinal IS NOT NULL;
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
-- The expression and the condition are those of invoice_reference_contains(). Most references are only the
-- number: an insert of these costs nothing.
CREATE INDEX invoices_reference_plain ON invoices
  USING gin (workspace_id, translate(search_text(accounting_reference), '''-', '') gin_trgm_ops)
  WITH (fastupdate = off) WHERE accounting_reference <> 'Holdfast #' || number::text;
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
  account text,
  change_id text,
  PRIMARY KEY (invoice_id, position)
);
COMMENT ON COLUMN invoice_lines.payment_id IS
  'The top-up that paid a line added later; it is a separate document in the accounting system.';
COMMENT ON COLUMN invoice_lines.account IS
  'Its account in the books; null for the workspace''s sales account.';
COMMENT ON COLUMN invoice_lines.change_id IS
  'The change of a booking that added the line, or took it off: then it is below zero.';

CREATE TABLE invoice_documents (
  source_id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL,
  invoice_id text COLLATE "C" NOT NULL REFERENCES invoices,
  kind text NOT NULL CHECK (kind IN ('invoice', 'supplement', 'credit_note')),
  number text NOT NULL,
  issued_at timestamptz(3) NOT NULL,
  net_minor bigint NOT NULL,
  tax_minor bigint NOT NULL,
  total_minor bigint NOT NULL CHECK (total_minor = net_minor + tax_minor),
  payment_id text COLLATE "C",
  lines jsonb NOT NULL,
  terms jsonb NOT NULL,
  payer jsonb,
  member_names jsonb,
  cancels text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (workspace_id, number)
);
COMMENT ON TABLE invoice_documents IS
  'Documents as they were issued. They never change, but an erasure removes names.';
COMMENT ON COLUMN invoice_documents.source_id IS
  'What it is about: the invoice, the payment of a supplement, a refund, an adjustment or a movement of a '
  'dispute.';
COMMENT ON COLUMN invoice_documents.payer IS
  'The member or guest who pays, as they were called: null if a company pays, and after an erasure.';
COMMENT ON COLUMN invoice_documents.member_names IS
  'The names of the members whose ids are in its lines, by id.';
COMMENT ON COLUMN invoice_documents.cancels IS 'The source of the document that this one cancels.';
CREATE INDEX invoice_documents_invoice ON invoice_documents (invoice_id);
CREATE INDEX invoice_documents_issued ON invoice_documents (workspace_id, issued_at);
CREATE INDEX invoice_documents_by_named_member ON invoice_documents USING gin (member_names)
  WHERE member_names IS NOT NULL;
CREATE TRIGGER invoice_documents_keep BEFORE UPDATE ON invoice_documents
  FOR EACH ROW EXECUTE FUNCTION keep_document();
CREATE TRIGGER invoice_documents_name BEFORE INSERT ON invoice_documents
  FOR EACH ROW EXECUTE FUNCTION name_people();

CREATE TABLE lost_documents (
  invoice_id text COLLATE "C" NOT NULL REFERENCES invoices,
  suffix text NOT NULL,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  total_minor bigint,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (invoice_id, suffix)
);
COMMENT ON TABLE lost_documents IS
  'Supplements and credit notes that the accounting system has, and that a restore has lost: only the same '
  'document gets the number of one again.';
COMMENT ON COLUMN lost_documents.suffix IS 'The end of its number: C1 of HH-35-C1.';
COMMENT ON COLUMN lost_documents.total_minor IS 'Null if no document can be this one.';

CREATE TABLE statements (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  company_id uuid REFERENCES companies,
  member_id text COLLATE "C" REFERENCES members,
  number text NOT NULL,
  issued_at timestamptz(3) NOT NULL DEFAULT now(),
  content jsonb NOT NULL,
  payer jsonb,
  UNIQUE (workspace_id, number),
  CONSTRAINT statements_payer CHECK (num_nonnulls(company_id, member_id) = 1)
);
COMMENT ON TABLE statements IS
  'What a payer owed and paid, as it was when somebody asked for it. Never changes, but an erasure removes '
  'the name.';
COMMENT ON COLUMN statements.payer IS
  'The member, as they were called: null for a company, and after an erasure.';
CREATE INDEX statements_by_company ON statements (company_id, issued_at) WHERE company_id IS NOT NULL;
CREATE INDEX statements_by_member ON statements (member_id, issued_at) WHERE member_id IS NOT NULL;
CREATE TRIGGER statements_keep BEFORE UPDATE ON statements FOR EACH ROW EXECUTE FUNCTION keep_document();
CREATE TRIGGER statements_name BEFORE INSERT ON statements FOR EACH ROW EXECUTE FUNCTION name_member();

CREATE TABLE statement_invoices (
  invoice_id text COLLATE "C" NOT NULL REFERENCES invoices,
  statement_id text COLLATE "C" NOT NULL REFERENCES statements,
  PRIMARY KEY (invoice_id, statement_id)
);
COMMENT ON TABLE statement_invoices IS 'The invoices that a statement lists.';
