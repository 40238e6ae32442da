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
CREATE INDEX subscription_charges_by_invoice ON subscription_charges (invoice_id)
  WHERE invoice_id IS NOT NULL;

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
  remaining_share double precision NOT NULL DEFAULT 1,
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
COMMENT ON COLUMN tier_changes.remaining_share IS
  'The share of the payer''s month that is left, the day of the change included; above 0, at most 1.';
CREATE INDEX tier_changes_to_notify ON tier_changes (workspace_id) WHERE notified_at IS NULL;
CREATE INDEX tier_changes_unfinished ON tier_changes (workspace_id, id) WHERE state <> 'done';
CREATE INDEX tier_changes_unbilled ON tier_changes (notified_at) WHERE state <> 'done';
CREATE INDEX tier_changes_by_member ON tier_changes (member_id, created_at);
CREATE INDEX tier_changes_by_event ON tier_changes (event_id);

-- The subscription at the processor that prorates a workspace's tier upgrades, made by the service.
CREATE TABLE tier_subscriptions (
  workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces,
  account_id text NOT NULL,
  currency char(3) NOT NULL,
  generation integer NOT NULL,
  product_id text NOT NULL,
  subscription_id text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN tier_subscriptions.generation IS
  'Rises when the subscription has to be created again: part of the idempotency keys.';
