-- An organisation in the accounting system serves one workspace only: invoice numbers of two would collide.
CREATE TABLE accounting_connections (
  workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces,
  enabled boolean NOT NULL DEFAULT true,
  status text NOT NULL CHECK (status IN ('active', 'revoked', 'disconnected')),
  tenant_id text NOT NULL,
  organisation text NOT NULL,
  sales_account text NOT NULL DEFAULT '200',
  payment_account text NOT NULL DEFAULT '090',
  access_token bytea NOT NULL,
  refresh_token bytea NOT NULL,
  access_expires_at timestamptz(3) NOT NULL,
  refreshing_until timestamptz(3),
  token_version integer NOT NULL DEFAULT 0,
  limited_until timestamptz(3),
  connected_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3),
  CONSTRAINT accounting_connections_tenant_key UNIQUE (tenant_id)
);
COMMENT ON COLUMN accounting_connections.access_token IS
  'Encrypted, like the refresh token; see db/encryption.ts.';
COMMENT ON COLUMN accounting_connections.refreshing_until IS 'Until then one process may refresh the tokens.';
COMMENT ON COLUMN accounting_connections.status IS
  'revoked: the organisation has withdrawn the consent; disconnected: the workspace has ended the '
  'connection.';
COMMENT ON COLUMN accounting_connections.sales_account IS
  'Code of the account of invoice lines; the default is the one of a new organisation.';
COMMENT ON COLUMN accounting_connections.payment_account IS
  'Code, or id, of the account that payments arrive on and leave from.';
COMMENT ON COLUMN accounting_connections.token_version IS 'Rises with each new pair of tokens.';
COMMENT ON COLUMN accounting_connections.limited_until IS
  'When the calls of a day, which are used up, are renewed.';
COMMENT ON COLUMN accounting_connections.revoked_at IS 'Since when the consent is withdrawn.';

-- Apart from the connections, which are read for every call.
CREATE TABLE accounting_charts (
  workspace_id text COLLATE "C" PRIMARY KEY REFERENCES accounting_connections,
  chart jsonb NOT NULL,
  read_at timestamptz(3) NOT NULL
);
COMMENT ON COLUMN accounting_charts.chart IS
  'The accounts, tax types and currencies that the organisation had when they were last read.';

-- Visits to the accounting system's consent page.
CREATE TABLE accounting_consents (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  state_hash bytea NOT NULL UNIQUE,
  nonce text NOT NULL,
  verifier bytea NOT NULL,
  url text NOT NULL,
  callback_query bytea,
  session_hash bytea,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN accounting_consents.verifier IS 'The PKCE code verifier, encrypted.';
COMMENT ON COLUMN accounting_consents.callback_query IS 'The query that the person returned with, encrypted.';
COMMENT ON COLUMN accounting_consents.session_hash IS
  'The session that went to the consent page, and must return from it. Null until then.';

-- The contact of each payer in the accounting system.
CREATE TABLE accounting_contacts (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  payer text COLLATE "C" NOT NULL,
  contact_id text NOT NULL,
  digest bytea NOT NULL,
  PRIMARY KEY (workspace_id, payer)
);
COMMENT ON COLUMN accounting_contacts.digest IS 'SHA-256 of name and address as last sent.';

-- Documents in the accounting system, one for each source: an invoice, a top-up (a payment), a refund (a
-- payment), a credit adjustment. The row is written before the document is requested, so that a void of the
-- invoice knows that the document may exist.
CREATE TABLE accounting_documents (
  source_id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  invoice_id text COLLATE "C" NOT NULL REFERENCES invoices,
  kind text NOT NULL CHECK (kind IN ('invoice', 'credit_note')),
  number text COLLATE "C" NOT NULL,
  reference text,
  accounting_id text,
  status text NOT NULL DEFAULT 'unknown'
    CHECK (status IN ('unknown', 'draft', 'submitted', 'authorised', 'paid', 'voided', 'deleted')),
  total_minor bigint,
  outstanding_minor bigint,
  credited_minor bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT accounting_documents_number_key UNIQUE (workspace_id, number)
);
COMMENT ON COLUMN accounting_documents.outstanding_minor IS 'The amount not yet paid or refunded.';
COMMENT ON COLUMN accounting_documents.credited_minor IS
  'What was set off there: credits applied to an invoice, or what a credit note was applied to.';
CREATE INDEX accounting_documents_by_invoice ON accounting_documents (invoice_id);

-- A row that is deleted and inserted again must not have the version of the one before.
CREATE SEQUENCE accounting_due_versions AS integer;

-- The outbox: invoices that must be updated in the accounting system, written in the transaction that changes
-- them. The row stays until both agree.
CREATE TABLE accounting_due (
  invoice_id text COLLATE "C" PRIMARY KEY REFERENCES invoices,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  version integer NOT NULL DEFAULT nextval('accounting_due_versions'),
  notified_at timestamptz(3),
  first_attempt_until timestamptz(3)
);
ALTER SEQUENCE accounting_due_versions OWNED BY accounting_due.version;
COMMENT ON COLUMN accounting_due.version IS 'Increases with each change of the invoice. Not used twice.';
COMMENT ON COLUMN accounting_due.notified_at IS
  'When workers could begin with the first attempt, or the invoice''s workflow was notified of this version.';
COMMENT ON COLUMN accounting_due.first_attempt_until IS
  'Until then a worker makes the first attempt; infinity: it has not begun. Null: the invoice''s workflow '
  'writes.';
CREATE INDEX accounting_due_to_notify ON accounting_due (invoice_id) WHERE notified_at IS NULL;
CREATE INDEX accounting_due_by_workspace ON accounting_due (workspace_id);
CREATE INDEX accounting_due_first_attempts ON accounting_due (first_attempt_until, workspace_id)
  WHERE first_attempt_until IS NOT NULL;
