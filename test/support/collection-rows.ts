import type { DataSource } from 'typeorm';
import { insertCardSetup, saveCard } from '../../commands/payments/cards.js';
import { insertInvoice } from '../../commands/invoices/invoices.js';
import { insertCompany, lockCompany, updateCompany } from '../../commands/companies/companies.js';
import { newId } from '../../db/ids.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { DAY_MS } from '../../domain/durations.js';
import { newPlace } from './scratch-database.js';
import { CARD_YEAR } from './days.js';

export const ACCOUNT = 'acct_1';

/** A company in a workspace that takes payments. */
export async function newCompany(scratch: DataSource, terms: { credit_limit_minor?: number } = {}) {
  const { workspace_id } = await newPlace(scratch);
  await scratch.query(
    `UPDATE workspaces SET processor_account_id = $2, processor_status = 'active' WHERE id = $1`,
    [workspace_id, ACCOUNT],
  );
  return insertCompany(scratch.manager, { workspace_id, name: 'Acme', payment_terms: 14, ...terms });
}
export type Company = Awaited<ReturnType<typeof newCompany>>;

/** Stores an invoice of 100.00 that is due in a number of days, and returns its id. */
export async function newInvoice(scratch: DataSource, company: Company, days: number, currency = 'GBP') {
  const id = newId('inv');
  const { workspace_id, id: company_id } = company;
  const line = { description: 'Desk', quantity: 1, unit_amount_minor: 10_000, tax_code: 'ZERO' } as const;
  await transaction(scratch, (tx) =>
    insertInvoice(tx, {
      id,
      workspace_id,
      kind: 'ad_hoc',
      currency,
      due_at: new Date(Date.now() + days * DAY_MS),
      company_id,
      member_id: null,
      created_at: new Date(),
      lines: [{ ...line, tax_rate_bps: 0, net_minor: 10_000, tax_minor: 0 }],
    }),
  );
  return id;
}

/** The changes that make a company's card be charged: its card is saved, and autopay is switched on. */
export const CHANGES = {
  card: async (tx: Tx, { workspace_id, id: company_id }: Company) => {
    const session_expires_at = new Date(Date.now() + DAY_MS);
    const payer = { company_id, member_id: null };
    const setup = { workspace_id, account_id: ACCOUNT, session_expires_at, ...payer };
    const card = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: CARD_YEAR };
    const ids = { customer_id: 'cus_1', payment_method_id: 'pm_1' };
    await saveCard(tx, await insertCardSetup(tx, setup), { ...ids, ...card });
  },
  autopay: async (tx: Tx, company: Company) => {
    await lockCompany(tx, company.workspace_id, company.id);
    await updateCompany(tx, company, { autopay: true });
  },
};

/**
 * Makes an invoice as old as one that was due some days ago, and has it checked. Times are rounded to a
 * millisecond.
 */
export const age = async (scratch: DataSource, id: string, days: number): Promise<void> => {
  await scratch.query(`UPDATE invoices SET due_at = now() - $2 * interval '1 day' WHERE id = $1`, [id, days]);
  await scratch.query(
    `UPDATE collections SET started_at = now() - interval '30 days',
      notify_at = now() - interval '1 millisecond' WHERE invoice_id = $1`,
    [id],
  );
};
