import { referenceOfPart, type MoneyPart } from '../../../domain/accounting/documents.js';
import type { TaxPart } from '../../../domain/invoices/credited-tax.js';
import { dayIn } from '../../../domain/cycle.js';
import { sumTotals, type InvoiceLine } from '../../../domain/invoices/invoice.js';
import type { TaxCode } from '../../../domain/rates/price.js';
import { knownZone } from '../../../domain/time-zone.js';
import type { AccountingContact } from '../../entities/accounting.js';
import { many, one } from '../../query.js';
import type { Tx } from '../../transaction.js';
import type { Payer } from '../invoices/payer.js';

type DocumentLine = TaxPart & { description: string; quantity: string; unit_amount_minor: number };

/** A document's content: amounts in minor units, days as `YYYY-MM-DD` in the workspace's time zone. */
export interface DocumentContent {
  workspace_id: string;
  invoice_id: string;
  reference: string;
  currency: string;
  date: string;
  due_date: string;
  total_minor: number;
  lines: DocumentLine[];
  tax_types: Record<string, string>;
  sales_account: string;
  payer: Payer;
  /**
   * The payer's contact in the accounting system, with a digest of its name and address; null if there is
   * none.
   */
  contact: Pick<AccountingContact, 'contact_id' | 'digest'> | null;
}

const FIND_DOCUMENT_CONTENT = {
  name: 'find_document_content',
  text: `SELECT i.workspace_id, i.accounting_reference AS reference, i.currency,
            coalesce(d.issued_at, i.created_at) AS dated_at,
            greatest(i.due_at, i.created_at, d.issued_at) AS due_at, w.time_zone,
            w.tax_codes, c.sales_account, d.lines AS issued, to_json(named) AS payer, k.contact_id, k.digest
     FROM invoices i JOIN workspaces w ON w.id = i.workspace_id
     JOIN accounting_connections c ON c.workspace_id = w.id
     CROSS JOIN LATERAL payer_of_invoice(i.id) named
     LEFT JOIN invoice_documents d ON d.source_id = $2
     LEFT JOIN accounting_contacts k ON k.workspace_id = i.workspace_id AND k.payer = named.number
     WHERE i.id = $1`,
};

interface ContentRow extends Omit<
  DocumentContent,
  'invoice_id' | 'total_minor' | 'lines' | 'tax_types' | 'contact' | 'date' | 'due_date'
> {
  dated_at: Date;
  due_at: Date;
  time_zone: string;
  tax_codes: TaxCode[];
  issued: InvoiceLine[] | null;
  contact_id: string | null;
  digest: Buffer | null;
}

/**
 * Returns the content of a document of the accounting system: as it was issued, otherwise the current content
 * of the invoice. The process decides which days these are (docs/rules/workspace.md#time-zones). Errors:
 * `UnknownTimeZone`.
 */
export async function findDocumentContent(
  tx: Tx,
  invoiceId: string,
  sourceId: string,
): Promise<DocumentContent> {
  const row = await one<ContentRow>(tx, FIND_DOCUMENT_CONTENT, [invoiceId, sourceId]);
  const { tax_codes, issued, contact_id, digest, dated_at, due_at, time_zone, ...head } = row;
  const zone = knownZone(time_zone);
  const lines = issued ?? (await listFirstLines(tx, invoiceId));
  return {
    ...head,
    date: dayIn(zone, dated_at),
    due_date: dayIn(zone, due_at),
    invoice_id: invoiceId,
    total_minor: sumTotals(lines).total_minor,
    lines: lines.map((line) => ({ ...line, quantity: String(line.quantity) })),
    tax_types: Object.fromEntries(
      tax_codes.map(({ code, accounting_tax_type }) => [code, accounting_tax_type]),
    ),
    contact: contact_id === null ? null : { contact_id, digest: digest! },
  };
}

/** Returns the lines with which an invoice was created. */
const listFirstLines = (tx: Tx, invoiceId: string): Promise<InvoiceLine[]> =>
  many<InvoiceLine>(
    tx,
    `SELECT description, quantity, unit_amount_minor, tax_code, tax_rate_bps, net_minor, tax_minor, account
     FROM invoice_lines WHERE invoice_id = $1 AND payment_id IS NULL AND change_id IS NULL ORDER BY position`,
    [invoiceId],
  );

/** How a document is paid in the accounting system. */
export interface PaymentTerms {
  currency: string;
  payment_account: string;
  /** The total of the document; null if it is void. */
  total_minor: number | null;
  /** The money that settled it, oldest first; never empty. */
  parts: MoneyPart[];
}

const FIND_PAYMENT_TERMS = {
  name: 'find_payment_terms',
  text: `SELECT i.currency, c.payment_account, w.time_zone, coalesce(d.total_minor,
    i.total_minor) AS total_minor,
            coalesce((
              SELECT json_agg(json_build_object('source_id', m.source_id, 'amount_minor', m.amount_minor,
                'at', m.at)
                              ORDER BY m.at, m.source_id)
              FROM money_of_document(i.id, d) m),
              json_build_array(json_build_object('source_id', $2::text, 'amount_minor', i.total_minor,
                'at', coalesce(d.issued_at, i.paid_at, now())))) AS parts
     FROM invoices i JOIN workspaces w ON w.id = i.workspace_id
     JOIN accounting_connections c ON c.workspace_id = w.id
     LEFT JOIN invoice_documents d ON d.source_id = $2
     WHERE i.id = $1`,
};

/** `at` in ISO 8601. */
interface TermsRow extends Omit<PaymentTerms, 'parts'> {
  time_zone: string;
  parts: { source_id: string; amount_minor: number; at: string }[];
}

/** Returns how a document of an invoice is paid. Errors: `UnknownTimeZone`. */
export async function findPaymentTerms(tx: Tx, invoiceId: string, sourceId: string): Promise<PaymentTerms> {
  const { time_zone, parts, ...terms } = await one<TermsRow>(tx, FIND_PAYMENT_TERMS, [invoiceId, sourceId]);
  const zone = knownZone(time_zone);
  const named = ({ at, ...part }: TermsRow['parts'][number]): MoneyPart => ({
    ...part,
    day: dayIn(zone, new Date(at)),
    reference: referenceOfPart(sourceId, part.source_id, parts.length === 1),
  });
  return { ...terms, parts: parts.map(named) };
}
