import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
-- Disputes of payments, by the processor's own id, as the processor last reported them.
CREATE TABLE disputes (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  payment_id text COLLATE "C" NOT NULL REFERENCES payments,
  status text NOT NULL CHECK (status IN ('inquiry', 'open', 'won', 'lost', 'prevented')),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  due_by timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN disputes.due_by IS 'Until when evidence can be sent to the processor.';
CREATE INDEX disputes_by_payment ON disputes (payment_id);
CREATE INDEX disputes_to_answer ON disputes (workspace_id) WHERE status IN ('inquiry', 'open');

-- What the bank took for a dispute, or gave back, by the processor's balance transaction. Rows are never changed: each
-- is a document of its own in the accounting system.
CREATE TABLE dispute_movements (
  id text COLLATE "C" PRIMARY KEY,
  dispute_id text COLLATE "C" NOT NULL REFERENCES disputes,
  payment_id text COLLATE "C" NOT NULL REFERENCES payments,
  amount_minor bigint NOT NULL CHECK (amount_minor <> 0),
  created_at timestamptz(3) NOT NULL
);
COMMENT ON COLUMN dispute_movements.amount_minor IS 'Below zero: withdrawn from the account. Above: reinstated.';
CREATE INDEX dispute_movements_by_dispute ON dispute_movements (dispute_id);
CREATE INDEX dispute_movements_by_payment ON dispute_movements (payment_id);

ALTER TABLE payments ADD disputed_minor bigint NOT NULL DEFAULT 0 CHECK (disputed_minor >= 0),
  ADD unfunded_since timestamptz(3), ADD unfunded_attempts integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN payments.disputed_minor IS 'What banks have withdrawn for disputes and not given back.';
COMMENT ON COLUMN payments.unfunded_since IS
  'For a refund: when the processor first failed it for lack of balance. It is tried again while it is pending.';
COMMENT ON COLUMN payments.unfunded_attempts IS 'For a refund: how often the processor has failed it for lack of balance.';
CREATE INDEX payments_unfunded ON payments (account_id) WHERE status = 'pending' AND unfunded_since IS NOT NULL;

-- The processor's disputes, while a run compares.
CREATE TABLE reconciliation_disputes (
  reconciliation_id text COLLATE "C" NOT NULL REFERENCES reconciliations,
  dispute_id text COLLATE "C" NOT NULL,
  payment_intent_id text COLLATE "C" NOT NULL,
  withdrawn_minor bigint NOT NULL,
  PRIMARY KEY (reconciliation_id, dispute_id)
);
`;

/**
 * Disputes with their own rows, and refunds that wait for balance. Disputes and account statuses are read from the
 * processor again instead of being ordered by the time of their events; no release has used those columns.
 */
export class Disputes1764200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
    await runner.query(`ALTER TABLE payments DROP disputed_at, DROP dispute_reported_at`);
    await runner.query(`ALTER TABLE workspaces DROP processor_status_at`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspaces ADD processor_status_at timestamptz(3)`);
    await runner.query(
      `ALTER TABLE payments DROP disputed_minor, DROP unfunded_since, DROP unfunded_attempts,
         ADD disputed_at timestamptz(3), ADD dispute_reported_at timestamptz(3)`,
    );
    await runner.query(`DROP TABLE reconciliation_disputes, dispute_movements, disputes`);
  }
}
