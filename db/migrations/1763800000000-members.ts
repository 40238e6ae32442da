import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Members: their cycle and trial, invites, prices of the tiers; and what is left of a person who was erased. */
export class Members1763800000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    for (const statement of REVERSE) await query.query(statement);
  }
}

const STATEMENTS = [
  `ALTER TABLE workspaces ADD tier_prices jsonb NOT NULL
    DEFAULT '{"basic": 0, "plus": 0, "pro": 0, "enterprise": 0}'`,

  // billing_anchor is the day on which a payer, a company or a member without one, first had an active member; its
  // months are counted from it. cycle_starts_on is the day from which a member's next tokens are due.
  `ALTER TABLE companies ADD billing_anchor date`,
  `ALTER TABLE members
    ALTER profile_id DROP NOT NULL,
    ADD billing_anchor date,
    ADD cycle_starts_on date,
    ADD trial_ends_at timestamptz(3),
    ADD pending_tier text CHECK (pending_tier IN ('basic', 'plus', 'pro', 'enterprise')),
    ADD pending_tier_at timestamptz(3),
    ADD archived_at timestamptz(3),
    ADD updated_at timestamptz(3) NOT NULL DEFAULT now(),
    ADD CHECK ((pending_tier IS NULL) = (pending_tier_at IS NULL))`,
  `UPDATE members SET cycle_starts_on = joined_at::date,
    billing_anchor = CASE WHEN company_id IS NULL THEN joined_at::date END, updated_at = created_at`,
  `UPDATE companies c SET billing_anchor = (SELECT min(joined_at)::date FROM members m WHERE m.company_id = c.id)`,

  // Of a member who was erased the row stays, for what hangs on it, without the person.
  `ALTER TABLE members DROP CONSTRAINT members_status_check`,
  `ALTER TABLE members ADD CONSTRAINT members_status_check
    CHECK (status IN ('invited', 'active', 'trialing', 'paused', 'cancelled', 'archived', 'deleted'))`,
  `ALTER TABLE members ADD CONSTRAINT members_person CHECK ((profile_id IS NULL) = (status = 'deleted'))`,
  `CREATE INDEX members_page ON members (workspace_id, (coalesce(joined_at, created_at)) DESC, id DESC)`,
  `CREATE INDEX members_of_profile ON members (profile_id)`,
  `CREATE INDEX members_of_company ON members (company_id) WHERE company_id IS NOT NULL`,
  `CREATE INDEX members_due ON members (cycle_starts_on) WHERE status IN ('active', 'trialing')`,
  `CREATE INDEX api_keys_of_member ON api_keys (member_id)`,

  // A guest who was erased leaves neither name nor address.
  `ALTER TABLE bookings ADD guest_erased_at timestamptz(3)`,
  `ALTER TABLE bookings DROP CONSTRAINT bookings_check3`,
  `ALTER TABLE bookings ADD CONSTRAINT bookings_booker
    CHECK (num_nonnulls(member_id, guest_email, guest_erased_at) = 1)`,
  `CREATE INDEX bookings_of_guest ON bookings (workspace_id, lower(guest_email)) WHERE guest_email IS NOT NULL`,

  // The newest invite of a member, while it is open; its id is what the link is signed over. sent_at is set when
  // the mail server has taken it.
  `CREATE TABLE member_invites (
    member_id text COLLATE "C" PRIMARY KEY REFERENCES members,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    id text COLLATE "C" NOT NULL UNIQUE,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    expires_at timestamptz(3) NOT NULL,
    sent_at timestamptz(3)
  )`,
  `CREATE INDEX member_invites_owed ON member_invites (workspace_id, id) WHERE sent_at IS NULL`,
];

const REVERSE = [
  `DROP TABLE member_invites`,
  `DROP INDEX bookings_of_guest`,
  `ALTER TABLE bookings DROP CONSTRAINT bookings_booker`,
  `UPDATE bookings SET guest_email = '' WHERE guest_erased_at IS NOT NULL`,
  `ALTER TABLE bookings DROP guest_erased_at`,
  `ALTER TABLE bookings ADD CONSTRAINT bookings_check3 CHECK ((member_id IS NULL) <> (guest_email IS NULL))`,
  `DROP INDEX api_keys_of_member`,
  `DROP INDEX members_page`,
  `DROP INDEX members_of_profile`,
  `DROP INDEX members_of_company`,
  `DROP INDEX members_due`,
  `ALTER TABLE members DROP CONSTRAINT members_person`,
  `INSERT INTO profiles (id, email, name) SELECT 'prof' || substr(id, 4), id, '' FROM members WHERE status = 'deleted'`,
  `UPDATE members SET status = 'archived', profile_id = 'prof' || substr(id, 4) WHERE status = 'deleted'`,
  `ALTER TABLE members DROP CONSTRAINT members_status_check`,
  `ALTER TABLE members ADD CONSTRAINT members_status_check
    CHECK (status IN ('invited', 'active', 'trialing', 'paused', 'cancelled', 'archived'))`,
  `ALTER TABLE members ALTER profile_id SET NOT NULL, DROP updated_at, DROP archived_at, DROP pending_tier_at,
    DROP pending_tier, DROP trial_ends_at, DROP cycle_starts_on, DROP billing_anchor`,
  `ALTER TABLE companies DROP billing_anchor`,
  `ALTER TABLE workspaces DROP tier_prices`,
];
