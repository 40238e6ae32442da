import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The first schema. Every row belongs to a workspace. What must never happen is forbidden here rather than
 * checked in code: two live bookings in one place, one idempotency key with two bookings, one payment intent
 * with two payments, one processor account in two workspaces.
 */
export class InitialSchema1763700000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query(`CREATE EXTENSION IF NOT EXISTS btree_gist`);
    for (const statement of TABLES) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    for (const statement of [...TABLES].reverse()) {
      const table = /CREATE TABLE (\w+)/.exec(statement)?.[1];
      if (table) await query.query(`DROP TABLE ${table} CASCADE`);
    }
  }
}

const TABLES = [
  `CREATE TABLE workspaces (
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
    return_url text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT workspaces_processor_account_key UNIQUE (processor_account_id)
  )`,

  // Apart from the workspace's row, so that numbering an invoice doesn't wait for anyone who reads or edits it.
  `CREATE TABLE invoice_counters (
    workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces,
    last_number integer NOT NULL DEFAULT 0
  )`,

  `CREATE TABLE companies (
    id uuid PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    name text NOT NULL,
    billing_email text,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX companies_page ON companies (workspace_id, created_at, id)`,

  `CREATE TABLE profiles (
    id text COLLATE "C" PRIMARY KEY,
    email text NOT NULL,
    name text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  `CREATE UNIQUE INDEX profiles_email_key ON profiles (lower(email))`,

  `CREATE TABLE members (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    profile_id text COLLATE "C" NOT NULL REFERENCES profiles,
    company_id uuid REFERENCES companies,
    role text NOT NULL CHECK (role IN ('member', 'billing_contact', 'admin', 'owner')),
    tier text NOT NULL CHECK (tier IN ('basic', 'plus', 'pro', 'enterprise')),
    status text NOT NULL
      CHECK (status IN ('invited', 'active', 'trialing', 'paused', 'cancelled', 'archived')),
    joined_at timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    UNIQUE (workspace_id, profile_id)
  )`,
  `CREATE UNIQUE INDEX members_one_owner ON members (workspace_id) WHERE role = 'owner'`,

  `CREATE TABLE api_keys (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    member_id text COLLATE "C" NOT NULL REFERENCES members,
    name text NOT NULL,
    token_hash bytea NOT NULL UNIQUE,
    fingerprint text NOT NULL,
    key_prefix text NOT NULL,
    resources text[] NOT NULL,
    actions text[] NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    expires_at timestamptz(3) NOT NULL,
    revoked_at timestamptz(3)
  )`,

  `CREATE TABLE rooms (
    id uuid PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    name text NOT NULL,
    description text,
    time_zone text NOT NULL,
    slot_minutes integer NOT NULL CHECK (slot_minutes > 0 AND 1440 % slot_minutes = 0),
    min_minutes integer,
    max_minutes integer,
    capacity integer,
    opening_hours jsonb,
    turnaround_minutes integer NOT NULL DEFAULT 0 CHECK (turnaround_minutes >= 0),
    edit_window_minutes integer NOT NULL DEFAULT 60 CHECK (edit_window_minutes >= 0),
    currency char(3) NOT NULL,
    price_per_hour_minor integer NOT NULL CHECK (price_per_hour_minor >= 0),
    tax_code text NOT NULL,
    tiers text[],
    tier_discounts jsonb NOT NULL,
    refund_steps jsonb NOT NULL,
    archived boolean NOT NULL DEFAULT false,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX rooms_page ON rooms (workspace_id, created_at, id)`,

  `CREATE TABLE blackouts (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    room_id uuid NOT NULL REFERENCES rooms,
    during tstzrange NOT NULL CHECK (NOT isempty(during)),
    reason text,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX blackouts_place ON blackouts USING gist (room_id, during)`,

  // One row per create that was tried. A failed one leaves its key free: the unique index is partial.
  `CREATE TABLE booking_requests (
    booking_id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    idempotency_key text COLLATE "C" NOT NULL,
    fingerprint bytea NOT NULL,
    state text NOT NULL DEFAULT 'in_flight' CHECK (state IN ('in_flight', 'published', 'failed')),
    failure_code text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    finished_at timestamptz(3)
  )`,
  `CREATE UNIQUE INDEX booking_requests_key ON booking_requests (workspace_id, idempotency_key)
    WHERE state <> 'failed'`,

  // The places that live bookings hold, turnaround included. A booking may hold two overlapping places (while it
  // moves); two bookings may not.
  `CREATE TABLE slot_claims (
    booking_id text COLLATE "C" NOT NULL,
    room_id uuid NOT NULL REFERENCES rooms,
    during tstzrange NOT NULL CHECK (NOT isempty(during)),
    PRIMARY KEY (booking_id, room_id, during),
    CONSTRAINT slot_claims_no_overlap
      EXCLUDE USING gist (room_id WITH =, booking_id WITH <>, during WITH &&)
  )`,

  // live_room_id is set exactly while the status is live, and then its foreign key demands the claim: a live
  // booking without its slot cannot be stored.
  `CREATE TABLE bookings (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    room_id uuid NOT NULL REFERENCES rooms,
    status text NOT NULL DEFAULT 'pending_payment'
      CHECK (status IN ('pending_payment', 'confirmed', 'cancelled', 'completed', 'expired')),
    start_at timestamptz(3) NOT NULL,
    end_at timestamptz(3) NOT NULL CHECK (end_at > start_at),
    occupies tstzrange NOT NULL CHECK (occupies @> tstzrange(start_at, end_at)),
    live_room_id uuid GENERATED ALWAYS AS
      (CASE WHEN status IN ('pending_payment', 'confirmed') THEN room_id END) STORED,
    member_id text COLLATE "C" REFERENCES members,
    guest_email text,
    guest_name text,
    company_id uuid REFERENCES companies,
    notes text,
    attendees integer NOT NULL,
    currency char(3) NOT NULL,
    net_minor bigint NOT NULL CHECK (net_minor >= 0),
    tax_minor bigint NOT NULL CHECK (tax_minor >= 0),
    price_minor bigint NOT NULL CHECK (price_minor = net_minor + tax_minor),
    tax_code text NOT NULL,
    tax_rate_bps integer NOT NULL,
    price_per_hour_minor integer NOT NULL,
    discount_percent numeric(5, 2) NOT NULL,
    hold_seconds integer NOT NULL,
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
    invoice_id text COLLATE "C",
    sequence integer NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    CHECK ((member_id IS NULL) <> (guest_email IS NULL)),
    CONSTRAINT bookings_hold_their_slot FOREIGN KEY (id, live_room_id, occupies)
      REFERENCES slot_claims (booking_id, room_id, during)
  )`,
  `CREATE INDEX bookings_page ON bookings (workspace_id, start_at, id) WHERE published_at IS NOT NULL`,
  `CREATE INDEX bookings_room_page ON bookings (room_id, start_at, id) WHERE published_at IS NOT NULL`,
  `CREATE INDEX bookings_waiting ON bookings (created_at) WHERE status = 'pending_payment'`,
  `CREATE INDEX bookings_to_complete ON bookings (end_at) WHERE status = 'confirmed'`,
  `ALTER TABLE slot_claims ADD FOREIGN KEY (booking_id) REFERENCES bookings ON DELETE CASCADE
    DEFERRABLE INITIALLY DEFERRED`,

  // One row per checkout we ever asked the processor for, written before it is asked: a session whose answer was
  // lost is still known here. booking_id has no foreign key, since a failed create removes its booking.
  `CREATE TABLE checkouts (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    booking_id text COLLATE "C" NOT NULL UNIQUE,
    account_id text NOT NULL,
    currency char(3) NOT NULL,
    amount_minor bigint NOT NULL CHECK (amount_minor > 0),
    description text NOT NULL,
    session_id text UNIQUE,
    session_expires_at timestamptz(3) NOT NULL,
    state text NOT NULL DEFAULT 'opening'
      CHECK (state IN ('opening', 'open', 'abandoned', 'processing', 'paid', 'closed')),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX checkouts_unresolved ON checkouts (created_at) WHERE state NOT IN ('paid', 'closed')`,
  `CREATE INDEX checkouts_unresolved_of ON checkouts (workspace_id, account_id)
    WHERE state NOT IN ('paid', 'closed')`,

  `CREATE TABLE invoices (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    number integer NOT NULL,
    status text NOT NULL
      CHECK (status IN ('draft', 'open', 'authorised', 'paid', 'void', 'cancelled', 'refunded')),
    currency char(3) NOT NULL,
    net_minor bigint NOT NULL,
    tax_minor bigint NOT NULL,
    total_minor bigint NOT NULL CHECK (total_minor = net_minor + tax_minor),
    due_at timestamptz(3) NOT NULL,
    company_id uuid REFERENCES companies,
    member_id text COLLATE "C" REFERENCES members,
    booking_id text COLLATE "C" UNIQUE REFERENCES bookings,
    accounting_id text,
    accounting_reference text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    paid_at timestamptz(3),
    voided_at timestamptz(3),
    UNIQUE (workspace_id, number)
  )`,
  `ALTER TABLE bookings ADD FOREIGN KEY (invoice_id) REFERENCES invoices`,

  `CREATE TABLE invoice_lines (
    invoice_id text COLLATE "C" NOT NULL REFERENCES invoices,
    position integer NOT NULL,
    description text NOT NULL,
    quantity numeric(14, 4) NOT NULL,
    unit_amount_minor bigint NOT NULL,
    tax_code text NOT NULL,
    tax_rate_bps integer NOT NULL,
    net_minor bigint NOT NULL,
    tax_minor bigint NOT NULL,
    PRIMARY KEY (invoice_id, position)
  )`,

  // invoice_id is null for one kind of money only: a checkout that was paid although its create had failed, so that
  // there never was an invoice. It goes straight back, and its row says so.
  `CREATE TABLE payments (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    invoice_id text COLLATE "C" REFERENCES invoices,
    booking_id text COLLATE "C",
    kind text NOT NULL CHECK (kind IN ('charge', 'top_up', 'manual', 'refund')),
    status text NOT NULL
      CHECK (status IN ('pending', 'succeeded', 'failed', 'partially_refunded', 'refunded', 'disputed')),
    amount_minor bigint NOT NULL CHECK (amount_minor > 0),
    refunded_minor bigint NOT NULL DEFAULT 0 CHECK (refunded_minor BETWEEN 0 AND amount_minor),
    currency char(3) NOT NULL,
    method text NOT NULL,
    account_id text,
    processor_payment_intent_id text,
    processor_refund_id text UNIQUE,
    refund_of text COLLATE "C" REFERENCES payments,
    reason text,
    source text,
    refusal jsonb,
    paid_at timestamptz(3),
    settled_at timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    CHECK ((kind = 'refund') = (refund_of IS NOT NULL))
  )`,
  `CREATE UNIQUE INDEX payments_intent_key ON payments (processor_payment_intent_id) WHERE kind <> 'refund'`,
  `CREATE INDEX payments_of_invoice ON payments (invoice_id)`,
  `CREATE INDEX payments_refund_of ON payments (refund_of) WHERE refund_of IS NOT NULL`,

  // What happened, told in the transaction in which it happened.
  `CREATE TABLE events (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    type text NOT NULL,
    object_id text COLLATE "C" NOT NULL,
    sequence integer NOT NULL,
    body jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    UNIQUE (object_id, sequence)
  )`,

  // Mail that is owed to a payer, stored with what it tells of. Sent once per booking and kind.
  `CREATE TABLE mails (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    booking_id text COLLATE "C" NOT NULL REFERENCES bookings,
    kind text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    sent_at timestamptz(3),
    UNIQUE (booking_id, kind)
  )`,
  `CREATE INDEX mails_owed ON mails (created_at) WHERE sent_at IS NULL`,

  // Events that the processor sent us, by its own event id. handled_at is set once the news is durable elsewhere.
  `CREATE TABLE processor_events (
    id text COLLATE "C" PRIMARY KEY,
    type text NOT NULL,
    via text NOT NULL CHECK (via IN ('platform', 'connect')),
    account_id text,
    outcome text,
    received_at timestamptz(3) NOT NULL DEFAULT now(),
    handled_at timestamptz(3)
  )`,

  `CREATE TABLE audit_log (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    at timestamptz(3) NOT NULL DEFAULT now(),
    action text NOT NULL,
    actor jsonb NOT NULL,
    object text NOT NULL,
    details jsonb NOT NULL
  )`,
];
