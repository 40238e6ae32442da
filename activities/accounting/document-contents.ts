import type { DataSource } from 'typeorm';
import {
  type DocumentContent,
  findDocumentContent,
  findTaxParts,
} from '../../db/queries/accounting/document-content.js';
import { findAccountingInvoice } from '../../db/queries/accounting/invoice-view.js';
import { splitOverTaxCodes } from '../../domain/accounting.js';
import { AccountingRefusal } from '../failures.js';
import type { NewLine } from '../gateways/accounting.js';

/** What is written into a document of the accounting system (docs/rules/accounting.md). */
export function createDocumentContents(db: DataSource) {
  const contentOf = (invoiceId: string, sourceId: string): Promise<DocumentContent> =>
    findDocumentContent(db.manager, invoiceId, sourceId);

  /** The content of an invoice. What a bank returned after a dispute has no lines. */
  async function completeContentOf(invoiceId: string, sourceId: string): Promise<DocumentContent> {
    const content = await contentOf(invoiceId, sourceId);
    if (content.lines.length > 0) return content;
    const lines = await shareLines(
      invoiceId,
      sourceId,
      `Returned after a dispute of a payment of ${content.reference}`,
    );
    return {
      ...content,
      lines,
      total_minor: lines.reduce((sum, line) => sum + line.net_minor + line.tax_minor, 0),
    };
  }

  /** The lines of an amount without lines of its own: it is split in proportion to the invoice's tax codes. */
  async function shareLines(invoiceId: string, sourceId: string, description: string) {
    const { expected } = (await findAccountingInvoice(db.manager, invoiceId))!;
    const amount = expected.find(({ source_id }) => source_id === sourceId)!.total_minor;
    const { currency } = await contentOf(invoiceId, invoiceId);
    const parts = splitOverTaxCodes(
      { amount_minor: amount, currency },
      await findTaxParts(db.manager, invoiceId),
    );
    return parts.map((part) => ({
      ...part,
      description,
      quantity: '1',
      unit_amount_minor: part.net_minor,
    }));
  }

  return { contentOf, completeContentOf, shareLines };
}

/** A line with its tax as the accounting system names it. Throws `AccountingRefusal` if the tax code is gone. */
export function toLine(
  line: DocumentContent['lines'][number],
  taxTypes: DocumentContent['tax_types'],
): NewLine {
  const tax_type = taxTypes[line.tax_code];
  if (!tax_type) {
    const message = `The workspace no longer has the tax code ${line.tax_code}. Add it again.`;
    throw new AccountingRefusal('tax code', message);
  }
  const { description, quantity, unit_amount_minor, net_minor, tax_minor } = line;
  return { description, quantity, unit_amount_minor, net_minor, tax_minor, tax_type };
}
