-- One row per request to put a card on file, written before a session is requested from the processor.
CREATE TABLE card_setups (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  company_id uuid REFERENCES companies,
  member_id text COLLATE "C" REFERENCES members,
  account_id text NOT NULL,
  url text,
  session_id text UNIQUE,
  session_expires_at timestamptz(3) NOT NULL,
  state text NOT NULL DEFAULT 'opening' CHECK (state IN ('opening', 'open', 'saved', 'closed')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT card_setups_one_payer CHECK (num_nonnulls(company_id, member_id) = 1)
);
CREATE INDEX card_setups_unfinished ON card_setups (created_at) WHERE state IN ('opening', 'open');
CREATE INDEX card_setups_by_member ON card_setups (member_id) WHERE member_id IS NOT NULL;

-- The card on file of a payer, at the processor. A newer one replaces it.
CREATE TABLE cards (
  setup_id text COLLATE "C" PRIMARY KEY REFERENCES card_setups,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  company_id uuid REFERENCES companies,
  member_id text COLLATE "C" REFERENCES members,
  account_id text NOT NULL,
  customer_id text NOT NULL,
  payment_method_id text NOT NULL,
  brand text NOT NULL,
  last4 text NOT NULL,
  exp_month integer NOT NULL,
  exp_year integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT cards_one_payer CHECK (num_nonnulls(company_id, member_id) = 1)
);
CREATE UNIQUE INDEX cards_company_key ON cards (company_id) WHERE company_id IS NOT NULL;
CREATE UNIQUE INDEX cards_member_key ON cards (member_id) WHERE member_id IS NOT NULL;

CREATE TABLE removed_cards (
  setup_id text COLLATE "C" PRIMARY KEY REFERENCES card_setups,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  account_id text NOT NULL,
  payment_method_id text NOT NULL,
  removed_at timestamptz(3) NOT NULL DEFAULT now(),
  notify_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE removed_cards IS
  'Cards to detach at the processor; a row is deleted when its card is detached.';
COMMENT ON COLUMN removed_cards.notify_at IS 'When the outbox relay notifies the run (again).';
CREATE INDEX removed_cards_to_notify ON removed_cards (notify_at);

CREATE TABLE collections (
  invoice_id text COLLATE "C" PRIMARY KEY REFERENCES invoices,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  status text NOT NULL DEFAULT 'scheduled'
    CHECK (status IN
      ('scheduled', 'charging', 'retrying', 'action_required', 'reminding', 'overdue', 'ended')),
  next_at timestamptz(3),
  attempts integer NOT NULL DEFAULT 0,
  reminded_until timestamptz(3),
  mailed_at timestamptz(3),
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  notify_at timestamptz(3) DEFAULT now()
);
COMMENT ON COLUMN collections.next_at IS 'When its next step is due; null once nothing is left to do.';
COMMENT ON COLUMN collections.attempts IS 'How often a card was charged.';
COMMENT ON COLUMN collections.reminded_until IS 'Reminders that were scheduled until then have been handled.';
COMMENT ON COLUMN collections.notify_at IS
  'When the outbox relay looks at it: a step is due, something has changed, or its run may be lost. Null: '
  'nothing is left to do.';
CREATE INDEX collections_to_notify ON collections (notify_at) WHERE notify_at IS NOT NULL;
-- Of the overview: without those that have ended or wait for the due date.
CREATE INDEX collections_to_show ON collections (workspace_id, next_at)
  WHERE status NOT IN ('scheduled', 'ended');
