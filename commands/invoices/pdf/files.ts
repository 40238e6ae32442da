import { listDocuments } from '../../../db/queries/invoices/document.js';
import type { InvoiceRow } from '../../../db/queries/invoices/invoice.js';
import { findStatementOfInvoice } from '../../../db/queries/invoices/issued-statement.js';
import { listRefunds } from '../../../db/queries/payments/refund.js';
import type { Tx } from '../../../db/transaction.js';
import type { InvoiceDocument } from '../../../db/entities/invoices.js';
import { drawDocument, drawRefund, drawStatement } from './drawing.js';

/** A PDF. Its name has no file extension. */
export interface Pdf {
  name: string;
  content: Buffer;
}

const readPdf = async (document: InvoiceDocument | undefined): Promise<Pdf | null> =>
  document ? { name: document.number, content: await drawDocument(document) } : null;

/**
 * Returns the first document of an invoice, which is a supplement if the invoice itself cost nothing; null if
 * it was not issued. Errors: those of `draw`, as for all files.
 */
export const invoiceFile = async (tx: Tx, { id }: InvoiceRow): Promise<Pdf | null> =>
  readPdf((await listDocuments(tx, id))[0]);

/** Returns a document of an invoice by its number, or a statement that lists it; null if there is none. */
export async function documentFile(
  tx: Tx,
  { id }: InvoiceRow,
  { number, statements }: { number: string; statements: boolean },
): Promise<Pdf | null> {
  const statement = statements ? await findStatementOfInvoice(tx, id, number) : null;
  if (statement) return { name: number, content: await drawStatement(statement) };
  return readPdf((await listDocuments(tx, id)).find((each) => each.number === number));
}

/**
 * Returns the credit note of a successful refund of an invoice, or the confirmation of a refund that was
 * never billed; null if there is no such refund.
 */
export async function refundFile(tx: Tx, invoice: InvoiceRow, refundId: string): Promise<Pdf | null> {
  const documents = await listDocuments(tx, invoice.id);
  const refunds = await listRefunds(tx, { invoice_id: invoice.id });
  const refund = refunds.find(({ id }) => id === refundId);
  if (!refund) return null;
  const note = documents.find(({ number }) => number === refund.credit_note);
  if (note) return readPdf(note);
  return { name: `Refund ${refund.id}`, content: await drawRefund(tx, refund, invoice) };
}
