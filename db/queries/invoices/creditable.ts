import { negated, splitOverTaxCodes, sumByTax, type TaxPart } from '../../../domain/invoices/credited-tax.js';
import type { DocumentKind } from '../../../domain/invoices/document.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** What a document has charged, or what a pending refund will credit. Minor units. */
interface Charge {
  kind: DocumentKind;
  currency: string;
  /** Null for a refund that credits a share of everything that is left. */
  lines: TaxPart[] | null;
  amount_minor: number;
}

/** The documents of a booking's invoices, then its pending refunds of what they charge. */
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
  if (!charges.some(({ lines }) => lines)) return null;
  return charges.reduce<TaxPart[]>((left, { kind, currency, lines, amount_minor }) => {
    const parts = lines ?? splitOverTaxCodes({ amount_minor, currency }, left);
    return sumByTax([...left, ...(kind === 'credit_note' ? negated(parts) : parts)]);
  }, []);
}
