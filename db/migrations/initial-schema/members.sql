CREATE TABLE companies (
  id uuid PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  name text NOT NULL,
  billing_email text,
  address text,
  vat_number text,
  billing_anchor date,
  next_period_on date,
  payment_terms integer CHECK (payment_terms BETWEEN 0 AND 365),
  credit_limit_minor bigint CHECK (credit_limit_minor >= 0),
  autopay boolean NOT NULL DEFAULT false,
  next_statement_on date,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN companies.billing_anchor IS
  'The first day on which the company had an active member; its billing periods are counted from it.';
COMMENT ON COLUMN companies.next_period_on IS
  'Start of the first billing period that has not been processed; null before the first: then it is the '
  'anchor.';
COMMENT ON COLUMN companies.payment_terms IS 'Days to pay what is booked on account; null: nothing can be.';
COMMENT ON COLUMN companies.credit_limit_minor IS
  'The most that may be unpaid in the workspace''s currency before another booking on account; null: no '
  'limit.';
COMMENT ON COLUMN companies.autopay IS 'Due invoices are charged to the card on file.';
COMMENT ON COLUMN companies.next_statement_on IS
  'The first of the month on which the next monthly statement is mailed; null: none is.';
COMMENT ON COLUMN companies.address IS 'Printed on its invoices; several lines.';
CREATE INDEX companies_page ON companies (workspace_id, created_at, id);
-- Like those of other tables: objects without metadata are not in the index, and without `fastupdate` no
-- search reads a list of pending entries.
CREATE INDEX companies_metadata ON companies
  USING gin (workspace_id, metadata jsonb_path_ops) WITH (fastupdate = off) WHERE metadata <> '{}';
CREATE INDEX companies_to_invoice ON companies (workspace_id, (coalesce(next_period_on, billing_anchor)))
  WHERE billing_anchor IS NOT NULL;
CREATE INDEX companies_with_statement ON companies (id) WHERE next_statement_on IS NOT NULL;

-- People, one row per mail address across all workspaces.
CREATE TABLE profiles (
  id text COLLATE "C" PRIMARY KEY,
  email text NOT NULL,
  verified_at timestamptz(3),
  devices_since timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN profiles.verified_at IS
  'When the person first used a link that was mailed to the address. Null: no session and no second factor.';
COMMENT ON COLUMN profiles.devices_since IS 'Browsers that signed in before this time count as new.';
CREATE UNIQUE INDEX profiles_email_key ON profiles (lower(email));

-- A person's membership in a workspace. An erased member keeps the row, which bookings and invoices
-- reference, but has no profile.
CREATE TABLE members (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  profile_id text COLLATE "C" REFERENCES profiles,
  name text,
  email text,
  locale text,
  company_id uuid REFERENCES companies,
  role text NOT NULL CHECK (role IN ('member', 'front_desk', 'billing_contact', 'admin', 'owner')),
  tier text NOT NULL CHECK (tier IN ('basic', 'plus', 'pro', 'enterprise')),
  status text NOT NULL
    CHECK (status IN ('invited', 'active', 'trialing', 'paused', 'cancelled', 'archived', 'deleted')),
  billed boolean NOT NULL DEFAULT true,
  hour_credit_balance integer NOT NULL DEFAULT 0 CHECK (hour_credit_balance >= 0),
  hour_credit_grants integer NOT NULL DEFAULT 0,
  hour_credits_granted integer,
  joined_at timestamptz(3),
  accepted_at timestamptz(3),
  billing_anchor date,
  next_period_on date,
  payment_terms integer CHECK (payment_terms BETWEEN 0 AND 365),
  credit_limit_minor bigint CHECK (credit_limit_minor >= 0),
  autopay boolean NOT NULL DEFAULT false,
  next_statement_on date,
  cycle_starts_on date,
  trial_ends_at timestamptz(3),
  pending_tier text CHECK (pending_tier IN ('basic', 'plus', 'pro', 'enterprise')),
  pending_tier_at timestamptz(3),
  archived_at timestamptz(3),
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (workspace_id, profile_id),
  CONSTRAINT members_name_and_email
    CHECK (num_nonnulls(name, email) = CASE status WHEN 'deleted' THEN 0 ELSE 2 END),
  CONSTRAINT members_person CHECK ((profile_id IS NULL) = (status = 'deleted')),
  CONSTRAINT members_pending_tier_has_date CHECK ((pending_tier IS NULL) = (pending_tier_at IS NULL))
);
COMMENT ON COLUMN members.profile_id IS 'Null for an erased member.';
COMMENT ON COLUMN members.hour_credit_balance IS
  'Remaining hours that the member can book with hour credits.';
COMMENT ON COLUMN members.billing_anchor IS
  'The first day on which a member without a company was active; their billing periods are counted from it.';
COMMENT ON COLUMN members.next_period_on IS
  'Start of the first billing period that has not been processed; null before the first: then it is the '
  'anchor.';
COMMENT ON COLUMN members.cycle_starts_on IS 'The day from which the next grant of hour credits is due.';
COMMENT ON COLUMN members.name IS 'As this workspace or the member gave it.';
COMMENT ON COLUMN members.email IS 'The address of the profile, as this workspace spells it.';
COMMENT ON COLUMN members.payment_terms IS 'Days to pay what is booked on account; null: nothing can be.';
COMMENT ON COLUMN members.credit_limit_minor IS
  'The most that may be unpaid in the workspace''s currency before another booking on account; null: no '
  'limit.';
COMMENT ON COLUMN members.autopay IS 'Due invoices are charged to the card on file.';
COMMENT ON COLUMN members.next_statement_on IS
  'The first of the month on which the next monthly statement is mailed; null: none is.';
COMMENT ON COLUMN members.hour_credit_grants IS 'How many times the balance was set to the grant of a month.';
COMMENT ON COLUMN members.hour_credits_granted IS
  'Hours granted in the month of the balance, less those that a lower tier took back. Null: none were.';
COMMENT ON COLUMN members.accepted_at IS
  'When the person used a link of the workspace or first opened it at the dashboard. Null: they may not '
  'know of it.';
CREATE UNIQUE INDEX members_one_owner ON members (workspace_id) WHERE role = 'owner';
CREATE INDEX members_page ON members (workspace_id, (coalesce(joined_at, created_at)) DESC, id DESC);
CREATE INDEX members_metadata ON members
  USING gin (workspace_id, metadata jsonb_path_ops) WITH (fastupdate = off) WHERE metadata <> '{}';
CREATE INDEX members_by_profile ON members (profile_id);
CREATE INDEX members_by_company ON members (company_id) WHERE company_id IS NOT NULL;
CREATE INDEX members_to_invoice ON members (workspace_id, (coalesce(next_period_on, billing_anchor)))
  WHERE billing_anchor IS NOT NULL AND company_id IS NULL;
CREATE INDEX members_due_grants ON members (cycle_starts_on) WHERE status IN ('active', 'trialing');
CREATE INDEX members_due_tiers ON members (pending_tier_at) WHERE pending_tier_at IS NOT NULL;
CREATE INDEX members_due_trials ON members (trial_ends_at) WHERE status = 'trialing';
-- The expression is member_text(). Without fastupdate no search has to scan the pending list.
CREATE INDEX members_plain ON members
  USING gin (translate(search_text(name || ' ' || email), '''-', '') gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX members_with_statement ON members (id) WHERE next_statement_on IS NOT NULL;

-- A member's open invite; only the newest is kept. The link is its signed id.
CREATE TABLE member_invites (
  member_id text COLLATE "C" PRIMARY KEY REFERENCES members,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  id text COLLATE "C" NOT NULL UNIQUE,
  new_email text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
COMMENT ON COLUMN member_invites.new_email IS
  'The address that the member has requested: the link confirms it. Null for an invite or a proof.';
