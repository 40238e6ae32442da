import { column, many, maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/**
 * The facts about an invoice whose number belongs to a document of the accounting system that the database
 * does not have.
 */
export interface NumberingFacts {
  /** When the previous document got its number. Lost documents got theirs later. */
  since: Date;
}

/**
 * Returns when the document before that of an invoice got its number, because it was issued or sent to the
 * accounting system. Null if the document in the accounting system is known here, as the invoice's own or
 * that of another invoice.
 */
export function findNumberingFacts(
  tx: Tx,
  invoiceId: string,
  accountingId: string,
): Promise<NumberingFacts | null> {
  return maybeOne<NumberingFacts>(
    tx,
    `SELECT coalesce((
         SELECT least(d.issued_at, a.created_at) FROM invoices before
         LEFT JOIN invoice_documents d ON d.source_id = before.id
           LEFT JOIN accounting_documents a ON a.source_id = before.id
         WHERE before.workspace_id = i.workspace_id AND before.document_number IS NOT NULL
           AND coalesce(before.document_ordinal, before.number) < coalesce(i.document_ordinal, i.number)
             AND num_nonnulls(d.issued_at, a.created_at) > 0
         ORDER BY coalesce(before.document_ordinal, before.number) DESC LIMIT 1), w.created_at) AS since
     FROM invoices i JOIN workspaces w ON w.id = i.workspace_id
     WHERE i.id = $1 AND NOT EXISTS (
       SELECT FROM accounting_documents d WHERE d.workspace_id = i.workspace_id AND d.accounting_id = $2)`,
    [invoiceId, accountingId],
  );
}

/** Returns those of the ids in the accounting system that no document of a workspace has. */
export const listUnknownIds = (tx: Tx, workspaceId: string, ids: string[]): Promise<string[]> =>
  column<string>(
    tx,
    `SELECT id FROM unnest($2::text[]) id WHERE NOT EXISTS (
       SELECT FROM accounting_documents d WHERE d.workspace_id = $1 AND d.accounting_id = id)`,
    [workspaceId, ids],
  );

/** An invoice of the accounting system that has a number of ours. */
export interface UnknownInvoice {
  id: string;
  number: string;
  own_number: number;
  contact_id: string;
  currency: string;
  total_minor: number;
}

/** The invoice of a booking that may be the same sale as an unknown one, and its number there. */
export interface LikelyRepeat {
  unknown_id: string;
  invoice_id: string;
  number: string;
}

/**
 * Finds the invoices of bookings in the accounting system that have the same number as an unknown invoice or
 * a later one, and its payer and total. An invoice that may currently be written is not unknown.
 */
export function findLikelyRepeats(
  tx: Tx,
  workspaceId: string,
  unknown: UnknownInvoice[],
): Promise<LikelyRepeat[]> {
  return many<LikelyRepeat>(
    tx,
    `SELECT u.id AS unknown_id, i.id AS invoice_id, d.number
     FROM jsonb_to_recordset($2) AS u (id text, number text, own_number integer, contact_id text,
       currency text, total_minor bigint)
     JOIN accounting_documents d ON d.workspace_id = $1 AND d.source_id = d.invoice_id
       AND d.total_minor = u.total_minor
       AND d.accounting_id IS NOT NULL AND d.status NOT IN ('voided', 'deleted')
     JOIN invoices i ON i.id = d.invoice_id AND i.booking_id IS NOT NULL AND i.currency = u.currency
       AND i.number >= u.own_number
       AND NOT starts_with(u.number, d.number || '-')
     CROSS JOIN LATERAL (SELECT * FROM payer_of_invoice(d.invoice_id)) payer
     JOIN accounting_contacts k ON k.workspace_id = $1 AND k.payer = payer.number
       AND k.contact_id = u.contact_id
     WHERE NOT EXISTS (SELECT FROM accounting_documents n WHERE n.workspace_id = $1 AND n.number = u.number
       AND n.accounting_id IS NULL)
     ORDER BY u.id, i.number`,
    [workspaceId, JSON.stringify(unknown)],
  );
}
