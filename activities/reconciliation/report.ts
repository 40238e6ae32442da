import { findAccountingInvoices } from '../../db/queries/accounting/invoice-view.js';
import { listMoneyOfDocuments } from '../../db/queries/accounting/money-parts.js';
import type { Reconciliation } from '../../db/entities/reconciliation.js';
import {
  listComparedPayments,
  listReconciledInvoices,
  listUnknownCharges,
  sumMovedMoney,
} from '../../db/queries/reconciliation/reconciliation.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import type { Tx } from '../../db/transaction.js';
import { wasPaid } from '../../domain/invoices/invoice.js';
import { receivedFor } from '../../domain/accounting/documents.js';
import { groupBy } from '../../domain/group-by.js';
import {
  compareAccounting,
  compareInvoice,
  comparePayment,
  movedAtProcessor,
  movedInAccounting,
  unknownCharge,
  type Difference,
  type ReconciliationReport,
  type ReconciliationTotals,
} from '../../domain/reconciliation/differences.js';

const PROCESSOR_NOT_READ: Difference = {
  invoice_id: null,
  kind: 'processor_missing',
  ledger_minor: null,
  processor_minor: null,
  accounting_minor: null,
  message: 'The connected account could not be read at the processor. Its charges were not compared.',
};

const ACCOUNTING_NOT_READ: Difference = {
  ...PROCESSOR_NOT_READ,
  kind: 'accounting_missing',
  message: 'The accounting system could not be read. Its last known state was compared.',
};

/** Sums per currency, in minor units. */
class Totals {
  private readonly sums = new Map<string, ReconciliationTotals>();

  add(currency: string, side: keyof ReconciliationTotals, amount: number): void {
    const sums = this.sums.get(currency) ?? { ledger: 0, processor: 0, accounting: 0 };
    this.sums.set(currency, { ...sums, [side]: sums[side] + amount });
  }

  /** Returns the sums of the workspace's currency, and those of other currencies. */
  of(currency: string): Pick<ReconciliationReport, 'totals' | 'other_currencies'> {
    const { [currency]: totals, ...other_currencies } = Object.fromEntries(this.sums);
    return { totals: totals ?? { ledger: 0, processor: 0, accounting: 0 }, other_currencies };
  }
}

/**
 * Compares the ledger with what was read from the two outside systems (docs/rules/billing.md#reconciliation).
 */
export async function createReport(
  tx: Tx,
  run: Reconciliation,
  read: { processor: boolean; accounting: boolean },
  repeatedSales: Difference[],
): Promise<ReconciliationReport> {
  const workspace = (await findWorkspace(tx, run.workspace_id))!;
  const invoices = await listReconciledInvoices(tx, run);
  const payments = await listComparedPayments(tx, run);
  const unknown = read.processor ? await listUnknownCharges(tx, run) : [];
  const synced = invoices.filter((invoice) => invoice.in_accounting);
  const differences: (Difference | null)[] = read.processor
    ? payments.map(comparePayment)
    : [PROCESSOR_NOT_READ];
  if (!read.accounting && synced.length > 0) differences.push(ACCOUNTING_NOT_READ);
  differences.push(...unknown.map(unknownCharge));

  const totals = new Totals();
  for (const { currency, moved_minor } of await sumMovedMoney(tx, run))
    totals.add(currency, 'ledger', moved_minor);
  for (const payment of payments) totals.add(payment.currency, 'processor', movedAtProcessor(payment));
  for (const { currency, amount_minor, refunded_minor } of unknown)
    totals.add(currency, 'processor', amount_minor - refunded_minor);

  const syncedIds = synced.map(({ id }) => id);
  const views = new Map((await findAccountingInvoices(tx, syncedIds)).map((view) => [view.id, view]));
  const money = groupBy(await listMoneyOfDocuments(tx, syncedIds), ({ document }) => document);
  const isWithin = (at: Date): boolean => at >= run.from_at && at < run.to_at;
  for (const invoice of invoices) {
    const { id, currency, total_minor, received_minor } = invoice;
    if (wasPaid(invoice))
      differences.push(compareInvoice({ invoice_id: id, total_minor, received_minor, currency }));
    const view = views.get(id);
    if (!view) continue;
    const { update_pending: pending, accounting_error: error } = invoice;
    differences.push(compareAccounting(id, view, { pending, error }));
    for (const document of view.known) {
      const [parts, amount] = [money.get(document.source_id) ?? [], receivedFor(document)];
      const sign = Math.sign(amount);
      const moved = movedInAccounting(Math.abs(amount), parts, isWithin, invoice.created_at);
      totals.add(currency, 'accounting', sign * moved);
    }
  }
  return {
    from: run.from_at.toISOString(),
    to: run.to_at.toISOString(),
    invoices_examined: invoices.length,
    ...totals.of(workspace.currency),
    differences: [...differences.filter((each) => each !== null), ...repeatedSales],
  };
}
