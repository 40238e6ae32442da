import type { ListedStatement } from './statement.js';
import type { ListedDocument } from './document.js';

/** A statement that lists an invoice, as the API returns it with the invoice's documents. */
export const presentStatement = ({ number, issued_at, total_minor }: ListedStatement, url: string) => ({
  kind: 'statement' as const,
  number,
  issued_at: new Date(issued_at).toISOString(),
  voided_at: null,
  net_minor: total_minor,
  tax_minor: 0,
  total_minor,
  payment_id: null,
  accounting_id: null,
  pdf_url: `${url}/${number}.pdf`,
});

const nullableIso = (at: string | null): string | null => at && new Date(at).toISOString();

/** A document as the API returns it. `url` is the URL of its invoice's documents. */
export const presentDocument = ({ cancelled_at, ...document }: ListedDocument, url: string) => ({
  kind: document.kind,
  number: document.number,
  issued_at: new Date(document.issued_at).toISOString(),
  voided_at: nullableIso(cancelled_at),
  net_minor: document.net_minor,
  tax_minor: document.tax_minor,
  total_minor: document.total_minor,
  payment_id: document.payment_id,
  accounting_id: document.accounting_id,
  pdf_url: `${url}/${document.number}.pdf`,
});
