import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Invoices beside those of bookings, their checkouts and payments, adjustments, idempotency keys of other creates. */
export class Billing1763750000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    for (const statement of REVERSE) await query.query(statement);
  }
}

const STATEMENTS = [
  `ALTER TABLE invoices
    ADD kind text NOT NULL DEFAULT 'booking' CHECK (kind IN ('booking', 'ad_hoc', 'adjustment', 'subscription')),
    ADD reference text,
    ADD adjusts text COLLATE "C" REFERENCES invoices,
    ADD period_start date,
    ADD period_end date,
    ADD cancelled_at timestamptz(3),
    ADD accounting_error text,
    ADD updated_at timestamptz(3) NOT NULL DEFAULT now(),
    ADD CHECK ((kind = 'subscription') = (period_start IS NOT NULL)),
    ADD CHECK ((kind = 'adjustment') = (adjusts IS NOT NULL))`,
  `CREATE INDEX invoices_page ON invoices (workspace_id, created_at DESC, id DESC)`,
  // A subscription invoice exists once per payer and period, whoever makes it.
  `CREATE UNIQUE INDEX invoices_subscription_key
    ON invoices (workspace_id, coalesce(company_id::text, member_id), period_start) WHERE kind = 'subscription'`,

  // What was paid over what was due goes back at once; excess_minor says how much of a payment that is.
  `ALTER TABLE payments
    ADD excess_minor bigint NOT NULL DEFAULT 0 CHECK (excess_minor BETWEEN 0 AND amount_minor),
    ADD reference text,
    ADD notify_payer boolean NOT NULL DEFAULT true,
    ADD disputed_at timestamptz(3)`,
  `UPDATE payments SET excess_minor = amount_minor WHERE refusal IS NOT NULL`,
  `CREATE INDEX payments_page ON payments (workspace_id, created_at DESC, id DESC)`,

  // A debit is an invoice of its own, a credit is given back by refunds.
  `CREATE TABLE adjustments (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    invoice_id text COLLATE "C" NOT NULL REFERENCES invoices,
    kind text NOT NULL CHECK (kind IN ('debit', 'credit')),
    net_minor bigint NOT NULL,
    tax_minor bigint NOT NULL,
    total_minor bigint NOT NULL CHECK (total_minor = net_minor + tax_minor AND (kind = 'debit') = (total_minor > 0)),
    lines jsonb NOT NULL,
    reason text NOT NULL,
    debit_invoice_id text COLLATE "C" REFERENCES invoices,
    accounting_id text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CHECK ((kind = 'debit') = (debit_invoice_id IS NOT NULL))
  )`,
  `CREATE INDEX adjustments_of ON adjustments (invoice_id)`,
  `ALTER TABLE payments ADD adjustment_id text COLLATE "C" REFERENCES adjustments`,

  // A checkout belongs to a booking or to an invoice; owner_id is what its run and its payments are known by.
  `ALTER TABLE checkouts ALTER booking_id DROP NOT NULL`,
  `ALTER TABLE checkouts
    ADD invoice_id text COLLATE "C" REFERENCES invoices,
    ADD url text,
    ADD owner_id text COLLATE "C" GENERATED ALWAYS AS (coalesce(booking_id, id)) STORED,
    ADD CHECK ((booking_id IS NULL) = (invoice_id IS NOT NULL))`,
  `CREATE UNIQUE INDEX checkouts_owner_key ON checkouts (owner_id)`,
  `CREATE UNIQUE INDEX checkouts_invoice_key ON checkouts (invoice_id)
    WHERE state IN ('opening', 'open', 'processing')`,

  // The Idempotency-Key header: bound in the transaction that makes what it stands for, so that a crash leaves either
  // both or neither.
  `CREATE TABLE idempotency_keys (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    key text COLLATE "C" NOT NULL,
    fingerprint bytea NOT NULL,
    object_id text COLLATE "C" NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, key)
  )`,

  // Mail about an invoice that is no booking's goes to whoever pays it.
  `ALTER TABLE mails ALTER booking_id DROP NOT NULL, ADD invoice_id text COLLATE "C" REFERENCES invoices`,
  `ALTER TABLE mails ADD CHECK ((booking_id IS NULL) <> (invoice_id IS NULL))`,
  `CREATE UNIQUE INDEX mails_invoice_key ON mails (invoice_id, kind, about) WHERE invoice_id IS NOT NULL`,
];

const REVERSE = [
  `DELETE FROM mails WHERE invoice_id IS NOT NULL`,
  `ALTER TABLE mails DROP invoice_id, ALTER booking_id SET NOT NULL`,
  `DROP TABLE idempotency_keys`,
  `DELETE FROM checkouts WHERE invoice_id IS NOT NULL`,
  `ALTER TABLE checkouts DROP owner_id, DROP url, DROP invoice_id`,
  `ALTER TABLE checkouts ALTER booking_id SET NOT NULL`,
  `ALTER TABLE payments DROP adjustment_id`,
  `DROP TABLE adjustments`,
  `DROP INDEX payments_page`,
  `ALTER TABLE payments DROP disputed_at, DROP notify_payer, DROP reference, DROP excess_minor`,
  `ALTER TABLE invoices DROP updated_at, DROP accounting_error, DROP cancelled_at, DROP period_end, DROP period_start,
    DROP adjusts, DROP reference, DROP kind`,
];
