-- One row per attempted create. A failed one frees its key: the unique index is partial.
CREATE TABLE booking_requests (
  booking_id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  idempotency_key text COLLATE "C" NOT NULL,
  fingerprint bytea NOT NULL,
  state text NOT NULL DEFAULT 'in_flight' CHECK (state IN ('in_flight', 'published', 'failed')),
  failure_code text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  finished_at timestamptz(3),
  public_guest bytea,
  client bytea,
  actor jsonb
);
COMMENT ON COLUMN booking_requests.fingerprint IS 'SHA-256 of the logical request body.';
COMMENT ON COLUMN booking_requests.public_guest IS
  'A digest of mailbox and client of a guest of a booking page: their unpaid bookings are counted by it.';
COMMENT ON COLUMN booking_requests.client IS
  'A digest of the client of a guest of a booking page, while their booking is unpaid.';
COMMENT ON COLUMN booking_requests.actor IS
  'The member who asked for it at the dashboard, until it is published; null for other requests.';
CREATE UNIQUE INDEX booking_requests_key ON booking_requests (workspace_id, idempotency_key)
  WHERE state <> 'failed';

-- The slots that live bookings hold, turnaround included. One booking may hold two overlapping slots while it
-- moves; two bookings may not.
CREATE TABLE slot_claims (
  booking_id text COLLATE "C" NOT NULL,
  room_id uuid NOT NULL REFERENCES rooms,
  during tstzrange NOT NULL CHECK (NOT isempty(during)),
  PRIMARY KEY (booking_id, room_id, during),
  CONSTRAINT slot_claims_no_overlap
    EXCLUDE USING gist (room_id WITH =, booking_id WITH <>, during WITH &&)
);

-- Triggers make these claims from those of rooms; foreign keys move and remove them with those.
CREATE TABLE part_claims (
  booking_id text COLLATE "C" NOT NULL,
  room_id uuid NOT NULL,
  during tstzrange NOT NULL,
  leaf_id uuid NOT NULL,
  PRIMARY KEY (booking_id, room_id, during, leaf_id),
  FOREIGN KEY (booking_id, room_id, during) REFERENCES slot_claims ON DELETE CASCADE ON UPDATE CASCADE,
  FOREIGN KEY (room_id, leaf_id) REFERENCES room_leaves ON DELETE CASCADE,
  CONSTRAINT part_claims_no_overlap
    EXCLUDE USING gist (leaf_id WITH =, booking_id WITH <>, during WITH &&)
);
COMMENT ON TABLE part_claims IS 'Each claim of a room that has parts or is one, once for each of its leaves.';
CREATE INDEX part_claims_by_room ON part_claims (room_id, leaf_id);
-- Its name sorts after those of foreign keys, so that these have locked the room before.
CREATE TRIGGER slot_claims_of_parts AFTER INSERT OR UPDATE OF room_id ON slot_claims
  FOR EACH ROW EXECUTE FUNCTION claim_parts();
-- Claims of the same leaf are made one after the other, so that none waits for one that waits for it.
CREATE TRIGGER part_claims_lock_leaf BEFORE INSERT ON part_claims
  FOR EACH ROW EXECUTE FUNCTION lock_leaf();

-- live_room_id is set only while the status is live. Its foreign key then requires the claim: a live booking
-- without its slot cannot be stored.
CREATE TABLE bookings (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  reference text NOT NULL DEFAULT new_booking_reference(),
  room_id uuid NOT NULL REFERENCES rooms,
  status text NOT NULL DEFAULT 'pending_payment'
    CHECK (status IN ('pending_payment', 'confirmed', 'cancelled', 'completed', 'expired')),
  start_at timestamptz(3) NOT NULL,
  end_at timestamptz(3) NOT NULL,
  occupies tstzrange NOT NULL,
  live_room_id uuid GENERATED ALWAYS AS
    (CASE WHEN status IN ('pending_payment', 'confirmed') THEN room_id END) STORED,
  member_id text COLLATE "C" REFERENCES members,
  guest_email text,
  guest_address text,
  guest_name text,
  guest_erased_at timestamptz(3),
  source text NOT NULL DEFAULT 'api',
  guest_billing jsonb,
  answers jsonb,
  locale text,
  terms_version text,
  terms_accepted_at timestamptz(3),
  company_id uuid REFERENCES companies,
  notes text,
  attendees integer NOT NULL,
  currency char(3) NOT NULL,
  net_minor bigint NOT NULL CHECK (net_minor >= 0),
  tax_minor bigint NOT NULL CHECK (tax_minor >= 0),
  price_minor bigint NOT NULL,
  tax_code text NOT NULL,
  tax_rate_bps integer NOT NULL,
  price_per_hour_minor integer NOT NULL,
  discount_percent numeric(5, 2) NOT NULL,
  pricing jsonb,
  refund_percent_cap double precision NOT NULL DEFAULT 100 CHECK (refund_percent_cap BETWEEN 0 AND 100),
  refund_caps jsonb,
  hour_credits_used integer NOT NULL DEFAULT 0 CHECK (hour_credits_used >= 0),
  hour_credit_grant integer,
  hold_seconds integer NOT NULL,
  account_days integer CHECK (account_days BETWEEN 0 AND 365),
  paid_at_desk boolean NOT NULL DEFAULT false,
  confirm_until timestamptz(3),
  published_at timestamptz(3),
  expires_at timestamptz(3),
  checkout_url text,
  confirmed_at timestamptz(3),
  confirmation_source text CHECK (confirmation_source IN
    ('success_page', 'platform_webhook', 'connect_webhook', 'scheduler_self_heal')),
  processor_payment_intent_id text,
  cancelled_at timestamptz(3),
  completed_at timestamptz(3),
  expired_at timestamptz(3),
  no_show_at timestamptz(3),
  remind_at timestamptz(3),
  invoice_id text COLLATE "C",
  sequence integer NOT NULL DEFAULT 0,
  manage_link_version integer DEFAULT 1,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT bookings_end_after_start CHECK (end_at > start_at),
  CONSTRAINT bookings_occupy_their_time CHECK (occupies @> tstzrange(start_at, end_at)),
  CONSTRAINT bookings_price_is_net_plus_tax CHECK (price_minor = net_minor + tax_minor),
  CONSTRAINT bookings_booker CHECK (num_nonnulls(member_id, guest_email, guest_erased_at) = 1),
  CONSTRAINT bookings_hold_their_slot FOREIGN KEY (id, live_room_id, occupies)
    REFERENCES slot_claims (booking_id, room_id, during)
);
COMMENT ON COLUMN bookings.reference IS 'Short, read aloud and printed; unique in the workspace.';
COMMENT ON COLUMN bookings.occupies IS 'From the start to the end of the turnaround after it.';
COMMENT ON COLUMN bookings.guest_erased_at IS 'When the guest''s name and address were erased.';
COMMENT ON COLUMN bookings.source IS 'How it came about: api, dashboard, page or import.';
COMMENT ON COLUMN bookings.guest_billing IS 'Company, VAT number and order reference that the guest entered.';
COMMENT ON COLUMN bookings.answers IS 'Answers to the questions of the booking page, with the questions.';
COMMENT ON COLUMN bookings.pricing IS 'The lines of a price by rates; null for one by the hourly price.';
COMMENT ON COLUMN bookings.hour_credits_used IS 'Hours paid with the member''s hour credits.';
COMMENT ON COLUMN bookings.published_at IS
  'Null until the checkout exists; until then only the constraints consider the booking.';
COMMENT ON COLUMN bookings.sequence IS 'SEQUENCE of the calendar entry: increases with each change.';
COMMENT ON COLUMN bookings.refund_percent_cap IS
  'The lowest refund step that was in force when the booking was moved. Hour credits come back at 100 only.';
COMMENT ON COLUMN bookings.refund_caps IS
  'The most that is refunded of parts of the price: [{extra_id, amount_minor, percent}]. Null: it was not '
  'moved.';
COMMENT ON COLUMN bookings.account_days IS
  'For a booking on account, the days until its invoice is due; null: it is paid at a checkout.';
COMMENT ON COLUMN bookings.paid_at_desk IS 'Confirmed by a payment at the desk, not at its checkout.';
COMMENT ON COLUMN bookings.confirm_until IS
  'A free booking of a guest of a booking page is held until its mailed link is opened.';
COMMENT ON COLUMN bookings.remind_at IS
  'When the outbox relay queues the reminder; null: there is none any more.';
COMMENT ON COLUMN bookings.hour_credit_grant IS
  'hour_credit_grants of the member when the credits were taken. Null: none were.';
COMMENT ON COLUMN bookings.manage_link_version IS
  'Part of what the link is signed for: another version ends the links before. Null: there is no link.';
CREATE UNIQUE INDEX bookings_reference ON bookings (workspace_id, reference);
CREATE INDEX bookings_page ON bookings (workspace_id, start_at, id) WHERE published_at IS NOT NULL;
CREATE INDEX bookings_metadata ON bookings
  USING gin (workspace_id, metadata jsonb_path_ops) WITH (fastupdate = off) WHERE metadata <> '{}';
CREATE INDEX bookings_room_page ON bookings (room_id, start_at, id) WHERE published_at IS NOT NULL;
CREATE INDEX bookings_member_page ON bookings (member_id, start_at, id)
  WHERE published_at IS NOT NULL AND member_id IS NOT NULL;
-- The expression is guest_text(). The workspace is part of the index, since a name that is
-- frequent in all workspaces together may be rare in one. The index is not partial, although members'
-- bookings have no guest: the planner uses no statistics of a partial index that is part of an OR, and would
-- consider every word rare. Without fastupdate each insert takes about 0.1 ms more, but none takes 40 ms, and
-- no search has to scan the pending list.
CREATE INDEX bookings_guest_plain ON bookings
  USING gin (workspace_id, translate(search_text(guest_name || ' ' || guest_email
    || coalesce(' ' || (guest_billing ->> 'company'), '')
    || coalesce(' ' || (guest_billing ->> 'vat_number'), '')
    || coalesce(' ' || (guest_billing ->> 'order_reference'), '')), '''-', '') gin_trgm_ops)
  WITH (fastupdate = off);
CREATE INDEX bookings_guest_page ON bookings
  (workspace_id, coalesce(guest_address, lower(guest_email)), start_at, id)
  WHERE guest_email IS NOT NULL;
CREATE INDEX bookings_no_show_page ON bookings (workspace_id, start_at, id)
  WHERE published_at IS NOT NULL AND no_show_at IS NOT NULL;
CREATE INDEX bookings_to_remind ON bookings (remind_at) WHERE remind_at IS NOT NULL;
-- Leftovers of crashed creates: read with every calendar.
CREATE INDEX bookings_unpublished ON bookings (workspace_id, created_at) WHERE published_at IS NULL;
CREATE INDEX bookings_pending ON bookings (created_at) WHERE status = 'pending_payment';
CREATE INDEX bookings_to_complete ON bookings (end_at) WHERE status = 'confirmed';
CREATE INDEX bookings_unpaid_by_member ON bookings (member_id)
  WHERE status = 'pending_payment' AND member_id IS NOT NULL;
CREATE INDEX bookings_ended_page ON bookings (workspace_id, status, start_at, id)
  WHERE published_at IS NOT NULL AND status IN ('cancelled', 'expired');

ALTER TABLE slot_claims ADD FOREIGN KEY (booking_id) REFERENCES bookings ON DELETE CASCADE
  DEFERRABLE INITIALLY DEFERRED;

-- One row per requested PATCH or cancel, stored before its id is sent to the booking's workflow.
CREATE TABLE booking_changes (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  booking_id text COLLATE "C" NOT NULL REFERENCES bookings,
  kind text NOT NULL CHECK (kind IN ('change', 'cancel', 'payment')),
  actor jsonb NOT NULL,
  request jsonb,
  state text NOT NULL DEFAULT 'requested' CHECK (state IN
    ('requested', 'charging', 'opening', 'pending', 'done', 'refused')),
  plan jsonb,
  outcome jsonb,
  on_authentication text NOT NULL DEFAULT 'fail' CHECK (on_authentication IN ('fail', 'link')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  finished_at timestamptz(3),
  expires_at timestamptz(3),
  client bytea,
  CONSTRAINT booking_changes_charging_has_plan
    CHECK ((state IN ('charging', 'opening', 'pending')) <= (plan IS NOT NULL)),
  CONSTRAINT booking_changes_pending_expires CHECK ((state = 'pending') <= (expires_at IS NOT NULL))
);
COMMENT ON COLUMN booking_changes.request IS
  'Null once the change is finished: the booking then has the new values.';
COMMENT ON COLUMN booking_changes.plan IS
  'The booking''s new values once the difference is paid; until then the booking holds both slots.';
COMMENT ON COLUMN booking_changes.state IS
  'charging: it waits for its charge; opening: its checkout is being opened; pending: the payer can pay it.';
COMMENT ON COLUMN booking_changes.expires_at IS 'When a pending change lapses, unless it is paid.';
COMMENT ON COLUMN booking_changes.client IS
  'A digest of the client that asks for it by a manage link, until it is finished.';
COMMENT ON COLUMN booking_changes.on_authentication IS
  'What becomes of a difference that only the payer can pay: the change fails, or they get a link.';
CREATE INDEX booking_changes_by_booking ON booking_changes (booking_id);
CREATE INDEX booking_changes_unsettled ON booking_changes (created_at)
  WHERE state = 'charging';
CREATE INDEX booking_changes_requested ON booking_changes (created_at) WHERE state = 'requested';
CREATE UNIQUE INDEX booking_changes_pending_key ON booking_changes (booking_id)
  WHERE state IN ('opening', 'pending');
CREATE INDEX booking_changes_pending_by_workspace ON booking_changes (workspace_id)
  WHERE state IN ('opening', 'pending');

CREATE TABLE blackout_bookings (
  blackout_id text COLLATE "C" NOT NULL REFERENCES blackouts ON DELETE CASCADE,
  booking_id text COLLATE "C" NOT NULL REFERENCES bookings,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  plan jsonb NOT NULL,
  note text,
  state text NOT NULL DEFAULT 'planned' CHECK (state IN ('planned', 'done', 'failed')),
  problem jsonb,
  told_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (blackout_id, booking_id)
);
COMMENT ON TABLE blackout_bookings IS 'What happens to the bookings that are in the way of a blackout.';
COMMENT ON COLUMN blackout_bookings.note IS 'For the payer, in the mail about it.';
COMMENT ON COLUMN blackout_bookings.problem IS 'Why the last attempt failed.';
COMMENT ON COLUMN blackout_bookings.told_at IS 'When the mail with the note was enqueued.';
CREATE INDEX blackout_bookings_by_booking ON blackout_bookings (booking_id);
CREATE INDEX blackout_bookings_unfinished ON blackout_bookings (workspace_id) WHERE state <> 'done';

-- What staff have written to bookers.
CREATE TABLE booking_messages (
  message_id text COLLATE "C" NOT NULL,
  booking_id text COLLATE "C" NOT NULL REFERENCES bookings,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  request_id text COLLATE "C" NOT NULL,
  subject text,
  body text,
  actor jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (message_id, booking_id)
);
CREATE INDEX booking_messages_by_booking ON booking_messages (booking_id);
CREATE INDEX booking_messages_by_request ON booking_messages (request_id);
