import { assertChargeable } from '../../../domain/processor-refusals.js';
import type { RefusedCharge } from '../../../domain/collection.js';
import { ApiError } from '../../../domain/errors.js';
import { many, maybeOne } from '../../query.js';
import { Collection, type Card } from '../../entities/collections.js';
import type { Tx } from '../../transaction.js';
import type { InvoiceRow } from './invoice.js';

export function findCollection(tx: Tx, invoiceId: string): Promise<Collection | null> {
  return tx.findOneBy(Collection, { invoice_id: invoiceId });
}

/** SQL of the collections whose run must be notified. */
export const COLLECTIONS_TO_NOTIFY = `FROM collections WHERE notify_at <= now()`;

/** A collection whose run must be notified. */
export type CollectionToNotify = Pick<Collection, 'invoice_id' | 'workspace_id'>;

/** The collections whose run must be notified: of a change, or because it has not acted in time and may be lost. */
export function findCollectionsToNotify(tx: Tx): Promise<CollectionToNotify[]> {
  return many<CollectionToNotify>(
    tx,
    `SELECT invoice_id, workspace_id ${COLLECTIONS_TO_NOTIFY} ORDER BY notify_at LIMIT 500`,
  );
}

/** The charges of an invoice to a card on file that were refused, oldest first. */
export function findRefusedCharges(tx: Tx, invoiceId: string): Promise<RefusedCharge[]> {
  return many<RefusedCharge>(
    tx,
    `SELECT created_at AS at, payment_method_id, refusal_code FROM checkouts
     WHERE invoice_id = $1 AND payment_method_id IS NOT NULL AND refusal_code IS NOT NULL
     ORDER BY created_at, id`,
    [invoiceId],
  );
}

/**
 * The card that an invoice's outstanding amount may be charged to: its payer has autopay, the workspace takes payments on
 * the card's account, and the processor takes the amount. Null otherwise.
 */
export async function findChargeableCard(
  tx: Tx,
  { company_id, member_id, currency }: Pick<InvoiceRow, 'company_id' | 'member_id' | 'currency'>,
  amount_minor: number,
): Promise<Card | null> {
  const card = await maybeOne<Card>(
    tx,
    `SELECT k.* FROM cards k
     JOIN workspaces w ON w.id = k.workspace_id AND w.processor_account_id = k.account_id
       AND w.processor_status = 'active'
     LEFT JOIN companies c ON c.id = k.company_id
     LEFT JOIN members m ON m.id = k.member_id
     WHERE (k.company_id = $1 OR ($1::uuid IS NULL AND k.member_id = $2)) AND coalesce(c.autopay, m.autopay)`,
    [company_id, member_id],
  );
  if (!card) return null;
  try {
    assertChargeable({ amount_minor, currency });
    return card;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
