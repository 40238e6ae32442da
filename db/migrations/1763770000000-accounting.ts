import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The books: connection to the accounting system, what is in it, and what still has to get there. */
export class Accounting1763770000000 implements MigrationInterface {
  name = 'Accounting1763770000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of REVERSE) await runner.query(statement);
  }
}

const STATEMENTS = [
  // Tokens are encrypted; an organisation's books belong to one workspace, or numbers would meet.
  `CREATE TABLE accounting_connections (
    workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces,
    enabled boolean NOT NULL DEFAULT true,
    status text NOT NULL CHECK (status IN ('active', 'revoked')),
    tenant_id text NOT NULL,
    organisation text NOT NULL,
    access_token bytea NOT NULL,
    refresh_token bytea NOT NULL,
    access_expires_at timestamptz(3) NOT NULL,
    refreshing_until timestamptz(3),
    connected_at timestamptz(3) NOT NULL,
    CONSTRAINT accounting_connections_tenant_key UNIQUE (tenant_id)
  )`,

  // A person's way to the accounting system's consent page and back.
  `CREATE TABLE accounting_consents (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    state_hash bytea NOT NULL UNIQUE,
    nonce text NOT NULL,
    verifier bytea NOT NULL,
    url text NOT NULL,
    answer bytea,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  )`,

  // Who is in the books, under which contact. The digest tells whether name and address there are still right.
  `CREATE TABLE accounting_contacts (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    payer text COLLATE "C" NOT NULL,
    contact_id text NOT NULL,
    digest bytea NOT NULL,
    PRIMARY KEY (workspace_id, payer)
  )`,

  // A document of the books for each source: an invoice, a top-up (a payment), a refund (a payment), a credit
  // adjustment. It is here before it is asked for, so whoever voids the invoice sees that it may exist there.
  `CREATE TABLE accounting_documents (
    source_id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    invoice_id text COLLATE "C" NOT NULL REFERENCES invoices,
    kind text NOT NULL CHECK (kind IN ('invoice', 'credit_note')),
    number text COLLATE "C" NOT NULL,
    reference text,
    accounting_id text,
    status text NOT NULL DEFAULT 'unknown'
      CHECK (status IN ('unknown', 'draft', 'submitted', 'authorised', 'paid', 'voided', 'deleted')),
    total_minor bigint,
    attempts integer NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT accounting_documents_number_key UNIQUE (workspace_id, number)
  )`,
  `CREATE INDEX accounting_documents_of ON accounting_documents (invoice_id)`,

  // The outbox: invoices that the books have to hear of, written in the transaction that changes them. The row stays
  // until the books agree.
  `CREATE TABLE accounting_due (
    invoice_id text COLLATE "C" PRIMARY KEY REFERENCES invoices,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    version integer NOT NULL DEFAULT 1,
    woken_at timestamptz(3)
  )`,
  `CREATE INDEX accounting_due_unwoken ON accounting_due (invoice_id) WHERE woken_at IS NULL`,
  `CREATE INDEX accounting_due_of ON accounting_due (workspace_id)`,

  // In flight, for the hourly job.
  `CREATE INDEX invoices_in_flight ON invoices (workspace_id, id) WHERE status IN ('open', 'authorised')`,

  // A top-up is a document of its own in the books.
  `ALTER TABLE invoice_lines ADD payment_id text COLLATE "C" REFERENCES payments`,
];

const REVERSE = [
  `ALTER TABLE invoice_lines DROP payment_id`,
  `DROP INDEX invoices_in_flight`,
  `DROP TABLE accounting_due, accounting_documents, accounting_contacts, accounting_consents, accounting_connections`,
];
