import { remainingParts, type Charge, type TaxPart } from '../../../domain/invoices/credited-tax.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** The documents of a booking's invoices, and its pending refunds of what they charge. */
const CHARGES = {
  name: 'booking_charges',
  text: `SELECT d.kind, d.terms ->> 'currency' AS currency, d.lines, d.total_minor AS amount_minor
    FROM invoice_documents d
    WHERE d.invoice_id IN (
      SELECT invoice_id FROM bookings WHERE id = $1
      UNION SELECT invoice_id FROM payments WHERE booking_id = $1 AND kind <> 'refund' AND refusal IS NULL)
    UNION ALL
    SELECT 'credit_note', r.currency, r.credit, r.amount_minor FROM payments r
    WHERE r.booking_id = $1 AND r.kind = 'refund' AND r.status = 'pending' AND r.adjustment_id IS NULL
      AND coalesce(r.purpose, '') NOT IN ('late', 'excess')`,
};

/**
 * Returns what the documents of a booking have left by tax code, rate and account, minus what pending refunds
 * will credit. A change or cancellation credits at most this. Null if the booking has no document.
 */
export async function findCreditable(tx: Tx, bookingId: string): Promise<TaxPart[] | null> {
  const charges = await many<Charge>(tx, CHARGES, [bookingId]);
  return charges.some(({ lines }) => lines) ? remainingParts(charges) : null;
}
