import { one } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** Returns the reason that a person gave for voiding an invoice, or null. */
export async function findVoidReason(tx: Tx, invoiceId: string): Promise<string | null> {
  const { reason } = await one<{ reason: string | null }>(
    tx,
    `SELECT void_reason(i) AS reason FROM invoices i WHERE i.id = $1`,
    [invoiceId],
  );
  return reason;
}
