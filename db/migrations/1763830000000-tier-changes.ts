import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Upgrades of members that the processor is asked to prorate. */
export class TierChanges1763830000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query(`DROP INDEX members_due_trials`);
    await query.query(`DROP INDEX members_due_tiers`);
    await query.query(`DROP TABLE tier_changes`);
  }
}

const STATEMENTS = [
  // Stored with the change itself. net_minor is our own computation until the processor has said what the change
  // costs; priced means that it has, and that its subscription is to follow.
  `CREATE TABLE tier_changes (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    member_id text COLLATE "C" NOT NULL REFERENCES members,
    event_id text COLLATE "C" NOT NULL REFERENCES events,
    from_tier text NOT NULL,
    to_tier text NOT NULL,
    description text NOT NULL,
    net_minor bigint NOT NULL,
    state text NOT NULL DEFAULT 'requested' CHECK (state IN ('requested', 'priced', 'done')),
    subscription_id text,
    invoice_id text COLLATE "C" REFERENCES invoices,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    handed_over_at timestamptz(3),
    CHECK ((state = 'priced') <= (subscription_id IS NOT NULL))
  )`,
  `CREATE INDEX tier_changes_to_hand_over ON tier_changes (workspace_id) WHERE handed_over_at IS NULL`,
  `CREATE INDEX tier_changes_unfinished ON tier_changes (workspace_id, id) WHERE state <> 'done'`,
  `CREATE INDEX members_due_tiers ON members (pending_tier_at) WHERE pending_tier_at IS NOT NULL`,
  `CREATE INDEX members_due_trials ON members (trial_ends_at) WHERE status = 'trialing'`,
];
