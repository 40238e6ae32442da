-- Payments and refunds. invoice_id is null only for the payment of a checkout whose create had failed, so
-- that there never was an invoice: it is refunded immediately.
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
  disputed_minor bigint NOT NULL DEFAULT 0 CHECK (disputed_minor >= 0),
  excess_minor bigint NOT NULL DEFAULT 0,
  currency char(3) NOT NULL,
  method text NOT NULL,
  account_id text,
  processor_payment_intent_id text,
  processor_refund_id text UNIQUE,
  refund_of text COLLATE "C" REFERENCES payments,
  origin text CHECK (origin IN ('service', 'processor')),
  ordinal integer,
  purpose text CHECK (purpose IN
    ('cancellation', 'change', 'adjustment', 'late', 'excess', 'request', 'dashboard')),
  adjustment_id text COLLATE "C" REFERENCES adjustments,
  credit jsonb,
  request_hash bytea,
  reference text,
  notify_payer boolean NOT NULL DEFAULT true,
  reason text,
  source text,
  refusal jsonb,
  paid_at timestamptz(3),
  settled_at timestamptz(3),
  succeeded_at timestamptz(3),
  unfunded_since timestamptz(3),
  unfunded_attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT payments_refunded_at_most_once CHECK (refunded_minor BETWEEN 0 AND amount_minor),
  CONSTRAINT payments_excess_within_amount CHECK (excess_minor BETWEEN 0 AND amount_minor),
  CONSTRAINT payments_refunds_refund CHECK ((kind = 'refund') = (refund_of IS NOT NULL))
);
COMMENT ON COLUMN payments.refunded_minor IS 'Refunded, or reserved for a pending refund.';
COMMENT ON COLUMN payments.excess_minor IS
  'The part of the payment that exceeded the amount due and was refunded.';
COMMENT ON COLUMN payments.account_id IS 'The connected account at the processor; null for a manual payment.';
COMMENT ON COLUMN payments.notify_payer IS 'For a refund: whether its payer gets mail.';
COMMENT ON COLUMN payments.refusal IS
  'Why the payment was refunded on receipt; every later call gets the same response.';
COMMENT ON COLUMN payments.origin IS 'For a refund: requested by the service, or found at the processor.';
COMMENT ON COLUMN payments.credit IS
  'For a refund: what it takes off, by tax code. Null: a share of all that its invoice has left.';
COMMENT ON COLUMN payments.request_hash IS
  'For a refund: SHA-256 of workspace and Idempotency-Key of its request. Null without a key.';
COMMENT ON COLUMN payments.succeeded_at IS
  'For a refund that failed after it had succeeded: when it succeeded.';
COMMENT ON COLUMN payments.disputed_minor IS 'What banks have withdrawn for disputes and not given back.';
COMMENT ON COLUMN payments.unfunded_since IS
  'For a refund: when the processor first failed it for lack of balance. It is tried again while it is '
  'pending.';
COMMENT ON COLUMN payments.unfunded_attempts IS
  'For a refund: how often the processor has failed it for lack of balance.';
CREATE INDEX payments_page ON payments (workspace_id, created_at DESC, id DESC);
CREATE INDEX payments_by_invoice ON payments (invoice_id);
CREATE INDEX payments_refund_of ON payments (refund_of) WHERE refund_of IS NOT NULL;
CREATE INDEX payments_refunds_pending ON payments (created_at) WHERE kind = 'refund' AND status = 'pending';
CREATE UNIQUE INDEX payments_intent_key ON payments (processor_payment_intent_id) WHERE kind <> 'refund';
CREATE INDEX payments_unfunded ON payments (account_id)
  WHERE status = 'pending' AND unfunded_since IS NOT NULL;
CREATE INDEX payments_by_booking ON payments (booking_id) WHERE booking_id IS NOT NULL;
CREATE INDEX payments_by_adjustment ON payments (adjustment_id) WHERE adjustment_id IS NOT NULL;
-- By the time at which money moved, as in db/queries/payments/money-time.ts.
CREATE INDEX payments_moved_page ON payments
  (workspace_id, coalesce(settled_at, paid_at, created_at) DESC, id DESC);
CREATE INDEX payments_moved_by_kind ON payments
  (workspace_id, kind, coalesce(settled_at, paid_at, created_at) DESC, id DESC) WHERE kind <> 'charge';
CREATE INDEX payments_moved_by_status ON payments
  (workspace_id, status, coalesce(settled_at, paid_at, created_at) DESC, id DESC) WHERE status <> 'succeeded';
-- The expression and the condition are those of payment_reference_contains().
CREATE INDEX payments_reference_plain ON payments
  USING gin (workspace_id, translate(search_text(reference), '''-', '') gin_trgm_ops) WITH (fastupdate = off)
  WHERE reference IS NOT NULL;
ALTER TABLE invoice_lines ADD FOREIGN KEY (payment_id) REFERENCES payments;

-- Disputes of payments, by the processor's own id, as the processor last reported them.
CREATE TABLE disputes (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  payment_id text COLLATE "C" NOT NULL REFERENCES payments,
  status text NOT NULL CHECK (status IN ('inquiry', 'open', 'won', 'lost', 'prevented')),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  reason text NOT NULL,
  evidence text NOT NULL,
  due_by timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN disputes.due_by IS 'Until when evidence can be sent to the processor.';
COMMENT ON COLUMN disputes.reason IS 'In the code of the processor.';
COMMENT ON COLUMN disputes.evidence IS 'none, staged, submitted, or late.';
CREATE INDEX disputes_by_payment ON disputes (payment_id);
CREATE INDEX disputes_by_workspace ON disputes (workspace_id);
CREATE INDEX disputes_to_answer ON disputes (workspace_id) WHERE status IN ('inquiry', 'open');

-- What the bank took for a dispute, or returned, by the processor's balance transaction. Rows are never
-- changed: each is a document of its own in the accounting system.
CREATE TABLE dispute_movements (
  id text COLLATE "C" PRIMARY KEY,
  dispute_id text COLLATE "C" NOT NULL REFERENCES disputes,
  payment_id text COLLATE "C" NOT NULL REFERENCES payments,
  amount_minor bigint NOT NULL CHECK (amount_minor <> 0),
  created_at timestamptz(3) NOT NULL
);
COMMENT ON COLUMN dispute_movements.amount_minor IS
  'Below zero: withdrawn from the account. Above: reinstated.';
CREATE INDEX dispute_movements_by_dispute ON dispute_movements (dispute_id);
CREATE INDEX dispute_movements_by_payment ON dispute_movements (payment_id);

-- One row per checkout, written before it is requested from the processor: a session whose response was lost
-- is still known here. booking_id has no foreign key, since a failed create deletes its booking.
CREATE TABLE checkouts (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  booking_id text COLLATE "C" UNIQUE,
  invoice_id text COLLATE "C" REFERENCES invoices,
  change_id text COLLATE "C" REFERENCES booking_changes,
  charged_change_id text COLLATE "C" REFERENCES booking_changes,
  owner_id text COLLATE "C" NOT NULL GENERATED ALWAYS AS (coalesce(booking_id, id)) STORED,
  account_id text NOT NULL,
  currency char(3) NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  description text NOT NULL,
  ordinal integer NOT NULL,
  charge_ordinal integer,
  customer_id text,
  payment_method_id text,
  url text,
  session_id text UNIQUE,
  session_expires_at timestamptz(3) NOT NULL,
  state text NOT NULL DEFAULT 'opening'
    CHECK (state IN ('opening', 'open', 'abandoned', 'processing', 'paid', 'closed')),
  refusal_code text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT checkouts_card CHECK ((customer_id IS NULL) = (payment_method_id IS NULL)),
  CONSTRAINT checkouts_booking_or_invoice
    CHECK (num_nonnulls(booking_id, invoice_id, change_id, charged_change_id) = 1)
);
COMMENT ON COLUMN checkouts.owner_id IS
  'The booking, or the checkout itself if it pays an invoice or a change of a booking.';
COMMENT ON COLUMN checkouts.state IS
  'opening: may have been requested; open: can be paid; abandoned: its create failed, so that any session '
  'must be
closed; processing: the payer is done, the payment is still in progress; paid and closed are final.';
COMMENT ON COLUMN checkouts.change_id IS 'The change of a booking whose difference it pays.';
COMMENT ON COLUMN checkouts.payment_method_id IS 'The card on file that is charged; null for a hosted page.';
COMMENT ON COLUMN checkouts.refusal_code IS 'Why the card was refused, in the processor''s words.';
CREATE UNIQUE INDEX checkouts_owner_key ON checkouts (owner_id);
CREATE UNIQUE INDEX checkouts_invoice_key ON checkouts (invoice_id)
  WHERE state IN ('opening', 'open', 'processing');
CREATE INDEX checkouts_unresolved ON checkouts (created_at) WHERE state NOT IN ('paid', 'closed');
CREATE INDEX checkouts_unresolved_by_account ON checkouts (workspace_id, account_id)
  WHERE state NOT IN ('paid', 'closed');
CREATE INDEX checkouts_by_invoice ON checkouts (invoice_id) WHERE invoice_id IS NOT NULL;
CREATE UNIQUE INDEX checkouts_change_key ON checkouts (change_id) WHERE change_id IS NOT NULL;
CREATE UNIQUE INDEX checkouts_charged_change_key ON checkouts (charged_change_id)
  WHERE charged_change_id IS NOT NULL;

-- Declined attempts to pay on the hosted page, for the timelines of bookings.
CREATE TABLE card_declines (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  checkout_id text COLLATE "C" NOT NULL REFERENCES checkouts,
  code text NOT NULL,
  declined_at timestamptz(3) NOT NULL
);
COMMENT ON COLUMN card_declines.id IS
  'The failed charge at the processor; its event if there was no charge, as for a failed authentication.';
COMMENT ON COLUMN card_declines.code IS 'Why, as a code of the processor.';
CREATE INDEX card_declines_by_checkout ON card_declines (checkout_id);

-- Events from the processor, by the processor's event id.
CREATE TABLE processor_events (
  id text COLLATE "C" PRIMARY KEY,
  type text NOT NULL,
  via text NOT NULL CHECK (via IN ('platform', 'connect', 'pull')),
  account_id text,
  outcome text,
  received_at timestamptz(3) NOT NULL DEFAULT now(),
  handled_at timestamptz(3)
);
COMMENT ON COLUMN processor_events.handled_at IS 'Set once the event''s effect is durable.';
CREATE INDEX processor_events_by_time ON processor_events USING brin (received_at);

-- How far what happened on each connected account has been read from the processor.
CREATE TABLE account_reads (
  account_id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  read_until timestamptz(3) NOT NULL,
  last_read_at timestamptz(3),
  next_read_at timestamptz(3) NOT NULL,
  recovering_since timestamptz(3),
  failures integer NOT NULL DEFAULT 0,
  lost_from timestamptz(3),
  lost_until timestamptz(3),
  numbers_unknown boolean NOT NULL DEFAULT false,
  untold text,
  payouts_read_at timestamptz(3)
);
CREATE INDEX account_reads_by_workspace ON account_reads (workspace_id);
CREATE INDEX account_reads_by_time ON account_reads (next_read_at);
CREATE INDEX account_reads_recovering ON account_reads (workspace_id) WHERE recovering_since IS NOT NULL;

CREATE TABLE platform (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  account_id text NOT NULL,
  live_mode boolean NOT NULL,
  recorded_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE platform IS 'One row: the platform''s own account at the processor, from its first call on.';

-- By the beat the service notices that the database is an older one.
CREATE TABLE recovery (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  told_since timestamptz(3),
  found_since timestamptz(3),
  beat bigint NOT NULL DEFAULT 0,
  beat_at timestamptz(3),
  run_id text,
  identity text
);
INSERT INTO recovery DEFAULT VALUES;
COMMENT ON TABLE recovery IS
  'One row: the last times from which on facts were missing here, and what shows that this database is '
  'an older one.';

-- Its rows are gone after a crash, and in a replica that was promoted.
CREATE UNLOGGED TABLE database_marks (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid()
);

CREATE TABLE processor_keys (
  key text COLLATE "C" PRIMARY KEY,
  suffix integer NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE processor_keys IS
  'Idempotency keys under which the processor has saved a 500: it would repeat it for a day.';
COMMENT ON COLUMN processor_keys.suffix IS 'Appended to the key for the next attempt.';
