import { many, one } from '../../query.js';
import type { GuestBilling } from '../../../domain/bookings/origin.js';
import type { Language } from '../../../domain/words/languages.js';
import type { Tx } from '../../transaction.js';

/** The payer of an invoice. `number` is our id for them, which is the same for all their invoices. */
export interface Payer {
  number: string;
  name: string;
  /** Null for a company without a billing address, and for an erased person. */
  email: string | null;
  /** The language that they or the guest have chosen; null for the workspace's language. */
  locale: Language | null;
  /** Whom a guest books for. */
  billing: GuestBilling | null;
}

const FIND_PAYER = { name: 'find_payer', text: `SELECT * FROM payer_of_invoice($1)` };

/**
 * Returns the payer of an invoice: its company, otherwise its member, otherwise the guest of its booking or
 * of the booking of the invoice that it adjusts.
 */
export const findPayer = (tx: Tx, invoiceId: string): Promise<Payer> =>
  one<Payer>(tx, FIND_PAYER, [invoiceId]);

/** A payer as lists show them. A `guest` without an address is an erased person. */
export interface ListedPayer {
  kind: 'company' | 'member' | 'guest';
  /** The id of a company or member, or the address of a guest. */
  id: string | null;
  name: string;
  /** True if they have an address for mail about invoices. */
  has_email: boolean;
  /** The number of the invoice, and its number on documents. */
  number: number;
  document_number: string | null;
}

/** Returns the payers of invoices, by the invoice's id. */
export async function listPayers(tx: Tx, invoiceIds: string[]): Promise<Map<string, ListedPayer>> {
  const rows = await many<Omit<ListedPayer, 'name'> & { invoice_id: string; name: string | null }>(
    tx,
    `SELECT i.id AS invoice_id, i.number, i.document_number,
            CASE WHEN c.id IS NOT NULL THEN 'company' WHEN m.id IS NOT NULL THEN 'member'
              ELSE 'guest' END AS kind,
            CASE WHEN c.id IS NOT NULL THEN c.id::text WHEN m.id IS NOT NULL THEN m.id
              ELSE b.guest_email END AS id,
            CASE WHEN c.id IS NOT NULL THEN c.name WHEN m.id IS NOT NULL THEN m.name
              ELSE b.guest_name END AS name,
            CASE WHEN c.id IS NOT NULL THEN c.billing_email WHEN m.id IS NOT NULL THEN m.email
              ELSE b.guest_email END
              IS NOT NULL AS has_email
     FROM invoices i
     LEFT JOIN companies c ON c.id = i.company_id
     LEFT JOIN members m ON m.id = i.member_id AND m.status <> 'deleted'
     LEFT JOIN bookings b ON b.id = coalesce(i.booking_id, booking_of_invoice(i.adjusts))
     WHERE i.id = ANY ($1)`,
    [invoiceIds],
  );
  return new Map(
    rows.map(({ invoice_id, name, ...payer }) => [
      invoice_id,
      { ...payer, name: name ?? 'A former customer' },
    ]),
  );
}
