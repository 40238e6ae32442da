import type { Numbered } from '../../../domain/invoices/words.js';
import { many, maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** A payment of an invoice, or a refund of one, as documents and mail show it to the payer. */
export interface InvoiceMoney {
  id: string;
  kind: 'payment' | 'refund';
  amount_minor: number;
  /** `card`, or how it was paid without the processor. */
  method: string;
  /**
   * The last digits of the card on file that was charged; null for any other card, which only the processor
   * knows.
   */
  last4: string | null;
  /** A refund that has not succeeded yet. */
  is_pending: boolean;
  /** When the money was received or refunded. */
  at: Date;
}

/**
 * Lists what was paid towards an invoice and refunded, oldest first. Money that was not due and was returned
 * on receipt is part of both.
 */
export function listInvoiceMoney(tx: Tx, invoiceId: string): Promise<InvoiceMoney[]> {
  return many<InvoiceMoney>(
    tx,
    // A checkout does not contain the id of its payment. If there is one paid checkout and one charge, they
    // belong together.
    `WITH charged AS (
       SELECT min(k.last4) AS last4 FROM checkouts c
       LEFT JOIN cards k ON k.payment_method_id = c.payment_method_id AND k.account_id = c.account_id
       WHERE c.invoice_id = $1 AND c.state = 'paid' HAVING count(*) = 1
     )
     SELECT p.id, CASE p.kind WHEN 'refund' THEN 'refund'
       ELSE 'payment' END AS kind, p.amount_minor, p.method,
            CASE p.kind WHEN 'charge' THEN (SELECT last4 FROM charged) END AS last4,
            p.status = 'pending' AS is_pending, moved_at(p) AS at
     FROM payments p
     WHERE p.invoice_id = $1
       AND p.status <> 'failed' AND (p.kind = 'refund' OR p.status <> 'pending')
     ORDER BY at, p.id`,
    [invoiceId],
  );
}

/** An invoice that replaced a void one. */
export type Replacement = Numbered & { total_minor: number };

/** Returns the invoice that replaced a void one, or null. */
export function findReplacement(tx: Tx, invoiceId: string): Promise<Replacement | null> {
  return maybeOne<Replacement>(
    tx,
    `SELECT r.number, r.document_number, r.reference, r.total_minor FROM invoices r
      JOIN invoices i ON i.id = r.adjusts
     WHERE r.adjusts = $1 AND i.status = 'void' AND r.status <> 'void' ORDER BY r.number LIMIT 1`,
    [invoiceId],
  );
}

/** Returns the name of the booker of what an invoice is for, or null. */
export async function findBooker(tx: Tx, bookingId: string): Promise<string | null> {
  const row = await maybeOne<{ name: string | null }>(
    tx,
    `SELECT coalesce(b.guest_name, m.name) AS name FROM bookings b LEFT JOIN members m ON m.id = b.member_id
     WHERE b.id = $1`,
    [bookingId],
  );
  return row?.name ?? null;
}

/**
 * Returns the booker's address, and the version of the booking's manage link; both are null after an erasure.
 */
export async function findBookingPayer(
  tx: Tx,
  bookingId: string,
): Promise<{ email: string | null; manage_link_version: number | null }> {
  const row = await maybeOne<{ email: string | null; manage_link_version: number | null }>(
    tx,
    `SELECT coalesce(b.guest_email, m.email) AS email, b.manage_link_version
     FROM bookings b LEFT JOIN members m ON m.id = b.member_id
     WHERE b.id = $1`,
    [bookingId],
  );
  return row ?? { email: null, manage_link_version: null };
}
