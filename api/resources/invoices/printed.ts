import { findDebitReason } from '../../../db/queries/billing/adjustment.js';
import { findParties } from '../../../db/queries/billing/invoice-parties.js';
import type { InvoiceRow } from '../../../db/queries/billing/invoice.js';
import { findPayer } from '../../../db/queries/billing/payer.js';
import type { Tx } from '../../../db/transaction.js';
import { billedTo, type InvoiceParties } from '../../../domain/invoice-parties.js';

/** Who an invoice or a credit note is from and for, as printed. */
export interface Printed {
  seller: InvoiceParties['seller'];
  /** One or more lines. */
  billedTo: string;
  /** Why an invoice was created as an adjustment. */
  reason: string | null;
}

/** The parties of an invoice as printed on it and on its credit notes. */
export async function printedOf(tx: Tx, invoice: InvoiceRow): Promise<Printed> {
  const parties = await findParties(tx, invoice);
  const { name } = await findPayer(tx, invoice.id);
  const reason = await findDebitReason(tx, invoice.id);
  return { seller: parties.seller, billedTo: billedTo(parties, name), reason };
}
