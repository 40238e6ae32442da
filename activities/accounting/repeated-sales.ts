import { findDocumentContent } from '../../db/queries/accounting/document-content.js';
import { findLikelyRepeats, listUnknownIds } from '../../db/queries/accounting/lost-invoice.js';
import type { Tx } from '../../db/transaction.js';
import { invoiceNumberIn } from '../../domain/invoices/invoice.js';
import { repeatedSale, type Difference } from '../../domain/reconciliation/differences.js';
import type { ListedInvoice } from '../gateways/accounting.js';

const isGone = ({ status }: ListedInvoice): boolean => status === 'voided' || status === 'deleted';

/**
 * Returns the sales that the accounting system has twice, among some of its invoices: the database lost the
 * first invoice of a booking, and the booking was published and invoiced again
 * (docs/internals/recovery.md#numbers-that-the-books-have). Both have a number of ours, the same payer and
 * total, and lines with the same text, which contains a room and a time.
 */
export async function findRepeatedSales(
  tx: Tx,
  workspaceId: string,
  listed: ListedInvoice[],
): Promise<Difference[]> {
  const numbered = listed.filter(
    (invoice) => invoiceNumberIn(invoice.reference) !== null && !isGone(invoice),
  );
  const ids = await listUnknownIds(
    tx,
    workspaceId,
    numbered.map(({ id }) => id),
  );
  if (ids.length === 0) return [];
  const unknown = numbered.filter(({ id }) => ids.includes(id));
  const facts = unknown.map(({ id, number, reference, contact_id, currency, total_minor }) => {
    return { id, number, own_number: invoiceNumberIn(reference)!, contact_id, currency, total_minor };
  });
  const found = new Map<string, Difference>();
  for (const { unknown_id, invoice_id, number } of await findLikelyRepeats(tx, workspaceId, facts)) {
    if (found.has(unknown_id)) continue;
    const lost = unknown.find(({ id }) => id === unknown_id)!;
    const { lines } = await findDocumentContent(tx, invoice_id, invoice_id);
    if (!saySame(lost.descriptions, lines)) continue;
    const { number: lost_number, total_minor: amount_minor, currency } = lost;
    found.set(unknown_id, repeatedSale({ invoice_id, number, lost_number, amount_minor, currency }));
  }
  return [...found.values()];
}

/** True if lines have the same texts as ours. Their texts may be followed by a quantity. */
const saySame = (theirs: string[], ours: { description: string }[]): boolean =>
  theirs.length === ours.length &&
  ours.every(({ description }, n) => theirs[n] === description || theirs[n]!.startsWith(`${description} (`));
