import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Subscription invoices: how far each payer has been invoiced, and what waits for the next invoice. */
export class Subscriptions1763820000000 implements MigrationInterface {
  name = 'Subscriptions1763820000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of REVERSE) await runner.query(statement);
  }
}

const STATEMENTS = [
  // The start of the first month that has not been dealt with; null until the first has been: then it is the anchor.
  `ALTER TABLE companies ADD next_period_on date`,
  `ALTER TABLE members ADD next_period_on date`,
  `CREATE INDEX companies_to_invoice ON companies (workspace_id, (coalesce(next_period_on, billing_anchor)))
    WHERE billing_anchor IS NOT NULL`,
  `CREATE INDEX members_to_invoice ON members (workspace_id, (coalesce(next_period_on, billing_anchor)))
    WHERE billing_anchor IS NOT NULL AND company_id IS NULL`,
  `CREATE INDEX invoices_draft ON invoices (workspace_id, id) WHERE status = 'draft'`,

  // A line for the payer's next subscription invoice, such as the difference of an upgrade. Minor units, without tax.
  `CREATE TABLE subscription_charges (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    company_id uuid REFERENCES companies,
    member_id text COLLATE "C" REFERENCES members,
    description text NOT NULL,
    net_minor bigint NOT NULL CHECK (net_minor > 0),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    invoice_id text COLLATE "C" REFERENCES invoices,
    CHECK (num_nonnulls(company_id, member_id) = 1)
  )`,
  `CREATE INDEX subscription_charges_waiting ON subscription_charges (workspace_id, company_id, member_id)
    WHERE invoice_id IS NULL`,
];

const REVERSE = [
  `DROP TABLE subscription_charges`,
  `DROP INDEX invoices_draft`,
  `ALTER TABLE members DROP next_period_on`,
  `ALTER TABLE companies DROP next_period_on`,
];
