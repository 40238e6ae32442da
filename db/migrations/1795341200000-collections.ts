import type { MigrationInterface, QueryRunner } from 'typeorm';

const PAYER = `
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  company_id uuid REFERENCES companies,
  member_id text COLLATE "C" REFERENCES members`;

/** Cards on file, terms of payers, bookings on account, and the collection of invoices. */
export class Collections1795341200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['companies', 'members'])
      await runner.query(`
        ALTER TABLE ${table}
          ADD payment_terms integer CHECK (payment_terms BETWEEN 0 AND 365),
          ADD credit_limit_minor bigint CHECK (credit_limit_minor >= 0),
          ADD autopay boolean NOT NULL DEFAULT false;
        COMMENT ON COLUMN ${table}.payment_terms IS 'Days to pay what is booked on account; null: nothing can be.';
        COMMENT ON COLUMN ${table}.credit_limit_minor IS
          'The most that may be unpaid in the workspace''s currency before another booking on account; null: no limit.';
        COMMENT ON COLUMN ${table}.autopay IS 'Due invoices are charged to the card on file.'`);
    await runner.query(`
      ALTER TABLE workspaces ADD refuse_overdue_payers boolean NOT NULL DEFAULT false;
      COMMENT ON COLUMN workspaces.refuse_overdue_payers IS
        'Payers with an overdue invoice cannot book on account.';
      ALTER TABLE bookings ADD account_days integer CHECK (account_days BETWEEN 0 AND 365);
      COMMENT ON COLUMN bookings.account_days IS
        'For a booking on account, the days until its invoice is due; null: it is paid at a checkout.';
    `);
    await runner.query(`
      -- One row per request to put a card on file, written before a session is requested from the processor.
      CREATE TABLE card_setups (
        id text COLLATE "C" PRIMARY KEY,
        ${PAYER},
        account_id text NOT NULL,
        url text,
        session_id text UNIQUE,
        session_expires_at timestamptz(3) NOT NULL,
        state text NOT NULL DEFAULT 'opening' CHECK (state IN ('opening', 'open', 'saved', 'closed')),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT card_setups_one_payer CHECK (num_nonnulls(company_id, member_id) = 1)
      );
      CREATE INDEX card_setups_unfinished ON card_setups (created_at) WHERE state IN ('opening', 'open');
      CREATE INDEX card_setups_by_member ON card_setups (member_id) WHERE member_id IS NOT NULL;
      -- The card on file of a payer, at the processor. A newer one replaces it.
      CREATE TABLE cards (
        setup_id text COLLATE "C" PRIMARY KEY REFERENCES card_setups,
        ${PAYER},
        account_id text NOT NULL,
        customer_id text NOT NULL,
        payment_method_id text NOT NULL,
        brand text NOT NULL,
        last4 text NOT NULL,
        exp_month integer NOT NULL,
        exp_year integer NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT cards_one_payer CHECK (num_nonnulls(company_id, member_id) = 1)
      );
      CREATE UNIQUE INDEX cards_company_key ON cards (company_id) WHERE company_id IS NOT NULL;
      CREATE UNIQUE INDEX cards_member_key ON cards (member_id) WHERE member_id IS NOT NULL;
    `);
    await runner.query(`
      ALTER TABLE checkouts ADD customer_id text, ADD payment_method_id text, ADD refusal_code text,
        ADD CONSTRAINT checkouts_card CHECK ((customer_id IS NULL) = (payment_method_id IS NULL));
      COMMENT ON COLUMN checkouts.payment_method_id IS
        'The card on file that is charged; null for a hosted page.';
      COMMENT ON COLUMN checkouts.refusal_code IS 'Why the card was refused, in the processor''s words.';
      CREATE INDEX checkouts_by_invoice ON checkouts (invoice_id) WHERE invoice_id IS NOT NULL;
      ALTER TABLE invoices ADD overdue_at timestamptz(3);
      COMMENT ON COLUMN invoices.overdue_at IS 'When its collection had tried everything.';
      CREATE INDEX invoices_payable_by_company ON invoices (company_id) WHERE status IN ('open', 'authorised');
      CREATE INDEX invoices_payable_by_member ON invoices (member_id) WHERE status IN ('open', 'authorised');
    `);
    await runner.query(`
      CREATE TABLE collections (
        invoice_id text COLLATE "C" PRIMARY KEY REFERENCES invoices,
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        status text NOT NULL DEFAULT 'scheduled'
          CHECK (status IN ('scheduled', 'charging', 'retrying', 'action_required', 'reminding', 'overdue', 'ended')),
        next_at timestamptz(3),
        attempts integer NOT NULL DEFAULT 0,
        reminded_until timestamptz(3),
        mailed_at timestamptz(3),
        started_at timestamptz(3) NOT NULL DEFAULT now(),
        notify_at timestamptz(3) DEFAULT now()
      );
      COMMENT ON COLUMN collections.next_at IS 'When its run acts next; null once nothing is left to do.';
      COMMENT ON COLUMN collections.attempts IS 'How often a card was charged.';
      COMMENT ON COLUMN collections.reminded_until IS 'Reminders that were scheduled until then have been handled.';
      COMMENT ON COLUMN collections.notify_at IS 'When the outbox relay notifies the run (again); null once it has ended.';
      CREATE INDEX collections_to_notify ON collections (notify_at) WHERE notify_at IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE collections;
      ALTER TABLE invoices DROP overdue_at;
      DROP INDEX invoices_payable_by_company;
      DROP INDEX invoices_payable_by_member;
      DELETE FROM checkouts WHERE payment_method_id IS NOT NULL;
      DROP INDEX checkouts_by_invoice;
      ALTER TABLE checkouts DROP customer_id, DROP payment_method_id, DROP refusal_code;
      DROP TABLE cards;
      DROP TABLE card_setups;
      ALTER TABLE bookings DROP account_days;
      ALTER TABLE workspaces DROP refuse_overdue_payers;
    `);
    for (const table of ['companies', 'members'])
      await runner.query(`ALTER TABLE ${table} DROP payment_terms, DROP credit_limit_minor, DROP autopay`);
  }
}
