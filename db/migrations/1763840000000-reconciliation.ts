import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Processor, ledger and books side by side: what the processor had when it was asked, and the reports. */
export class Reconciliation1763840000000 implements MigrationInterface {
  name = 'Reconciliation1763840000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of REVERSE) await runner.query(statement);
  }
}

const STATEMENTS = [
  `ALTER TABLE accounting_documents ADD left_minor bigint`,

  // from and to are half-open on the invoices' created_at. The report is there once the run has ended.
  `CREATE TABLE reconciliations (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    from_at timestamptz(3) NOT NULL,
    to_at timestamptz(3) NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    report jsonb
  )`,

  // What the processor says, while a run compares.
  `CREATE TABLE reconciliation_charges (
    reconciliation_id text COLLATE "C" NOT NULL REFERENCES reconciliations,
    charge_id text COLLATE "C" NOT NULL,
    payment_intent_id text COLLATE "C",
    amount_minor bigint NOT NULL,
    refunded_minor bigint NOT NULL,
    currency char(3) NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (reconciliation_id, charge_id)
  )`,
];

const REVERSE = [
  `DROP TABLE reconciliation_charges, reconciliations`,
  `ALTER TABLE accounting_documents DROP left_minor`,
];
