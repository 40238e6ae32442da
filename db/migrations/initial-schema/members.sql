CREATE TABLE companies (
  id uuid PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  name text NOT NULL,
  billing_email text,
  billing_anchor date,
  next_period_on date,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN companies.billing_anchor IS
  'The first day on which the company had an active member; its billing periods are counted from it.';
COMMENT ON COLUMN companies.next_period_on IS
  'Start of the first billing period that has not been processed; null before the first: then it is the anchor.';
CREATE INDEX companies_page ON companies (workspace_id, created_at, id);
CREATE INDEX companies_to_invoice ON companies (workspace_id, (coalesce(next_period_on, billing_anchor)))
  WHERE billing_anchor IS NOT NULL;

-- People, one row per mail address across all workspaces.
CREATE TABLE profiles (
  id text COLLATE "C" PRIMARY KEY,
  email text NOT NULL,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX profiles_email_key ON profiles (lower(email));
-- The expression is PROFILE_TEXT of db/search.ts. fastupdate is off so that no search has to scan the pending list.
CREATE INDEX profiles_search ON profiles USING gin ((name || ' ' || email) gin_trgm_ops) WITH (fastupdate = off);

-- A person's membership in a workspace. An erased member keeps the row, which bookings and invoices reference, but has
-- no profile.
CREATE TABLE members (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  profile_id text COLLATE "C" REFERENCES profiles,
  company_id uuid REFERENCES companies,
  role text NOT NULL CHECK (role IN ('member', 'billing_contact', 'admin', 'owner')),
  tier text NOT NULL CHECK (tier IN ('basic', 'plus', 'pro', 'enterprise')),
  status text NOT NULL
    CHECK (status IN ('invited', 'active', 'trialing', 'paused', 'cancelled', 'archived', 'deleted')),
  hour_credit_balance integer NOT NULL DEFAULT 0 CHECK (hour_credit_balance >= 0),
  joined_at timestamptz(3),
  billing_anchor date,
  next_period_on date,
  cycle_starts_on date,
  trial_ends_at timestamptz(3),
  pending_tier text CHECK (pending_tier IN ('basic', 'plus', 'pro', 'enterprise')),
  pending_tier_at timestamptz(3),
  archived_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (workspace_id, profile_id),
  CONSTRAINT members_person CHECK ((profile_id IS NULL) = (status = 'deleted')),
  CONSTRAINT members_pending_tier_has_date CHECK ((pending_tier IS NULL) = (pending_tier_at IS NULL))
);
COMMENT ON COLUMN members.profile_id IS 'Null for an erased member.';
COMMENT ON COLUMN members.hour_credit_balance IS 'Remaining hours that the member can book with hour credits.';
COMMENT ON COLUMN members.billing_anchor IS
  'The first day on which a member without a company was active; their billing periods are counted from it.';
COMMENT ON COLUMN members.next_period_on IS
  'Start of the first billing period that has not been processed; null before the first: then it is the anchor.';
COMMENT ON COLUMN members.cycle_starts_on IS 'The day from which the next grant of hour credits is due.';
CREATE UNIQUE INDEX members_one_owner ON members (workspace_id) WHERE role = 'owner';
CREATE INDEX members_page ON members (workspace_id, (coalesce(joined_at, created_at)) DESC, id DESC);
CREATE INDEX members_by_profile ON members (profile_id);
CREATE INDEX members_by_company ON members (company_id) WHERE company_id IS NOT NULL;
CREATE INDEX members_to_invoice ON members (workspace_id, (coalesce(next_period_on, billing_anchor)))
  WHERE billing_anchor IS NOT NULL AND company_id IS NULL;
CREATE INDEX members_due_grants ON members (cycle_starts_on) WHERE status IN ('active', 'trialing');
CREATE INDEX members_due_tiers ON members (pending_tier_at) WHERE pending_tier_at IS NOT NULL;
CREATE INDEX members_due_trials ON members (trial_ends_at) WHERE status = 'trialing';

-- A member's open invite; only the newest is kept. The link is its signed id.
CREATE TABLE member_invites (
  member_id text COLLATE "C" PRIMARY KEY REFERENCES members,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  id text COLLATE "C" NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
