import type { CancelRequest } from '../../../domain/bookings/cancellation.js';
import type { ChangeOutcome, ChangePlan, ChangeRequest } from '../../../domain/bookings/change.js';
import type { DeskPaymentRequest } from '../../../domain/payments/desk-payment.js';
import type { UnsettledChange } from '../../../domain/bookings/pending-change.js';
import { exists, many, maybeOne } from '../../query.js';
import { StoredChange } from '../../entities/bookings.js';
import type { Tx } from '../../transaction.js';

/** A requested change, cancellation or payment at the desk. `request` is null once it is finished. */
export type BookingChange = Omit<StoredChange, 'kind' | 'request'> &
  (
    | { kind: 'change'; request: ChangeRequest | null }
    | { kind: 'cancel'; request: CancelRequest | null }
    | { kind: 'payment'; request: DeskPaymentRequest | null }
  );

/** Returns a change by id. */
export async function findChange(tx: Tx, id: string): Promise<BookingChange | null> {
  return (await tx.findOneBy(StoredChange, { id })) as BookingChange | null;
}

/** Returns the change of a booking that is being charged or waits for payment, or null. */
export function findUnsettledChange(tx: Tx, bookingId: string): Promise<UnsettledChange | null> {
  return maybeOne<UnsettledChange>(
    tx,
    `SELECT id, state = 'charging' AS is_charge, expires_at FROM booking_changes
     WHERE booking_id = $1 AND state IN ('charging', 'opening', 'pending') ORDER BY created_at, id LIMIT 1`,
    [bookingId],
  );
}

/** A change that waits for payment, with its checkout. Both slots of its booking are held. */
export interface PendingChange extends Pick<StoredChange, 'id' | 'booking_id' | 'state'> {
  checkout_id: string;
  /** Null while the checkout is being opened, like `expires_at`. */
  checkout_url: string | null;
  amount_minor: number;
  expires_at: Date | null;
  plan: ChangePlan;
}

/** Returns the change of a booking that waits for payment, or null. */
export function findPendingChange(tx: Tx, bookingId: string): Promise<PendingChange | null> {
  return maybeOne<PendingChange>(
    tx,
    `SELECT c.id, c.booking_id, c.state, c.expires_at, c.plan, k.id AS checkout_id, k.url AS checkout_url,
      k.amount_minor
     FROM booking_changes c JOIN checkouts k ON k.change_id = c.id
     WHERE c.booking_id = $1 AND c.state IN ('opening', 'pending')`,
    [bookingId],
  );
}

/** Returns whether a booking had a change that its payer could still pay for when it was cancelled. */
export function hadPendingChange(tx: Tx, bookingId: string): Promise<boolean> {
  return exists(
    tx,
    `SELECT FROM booking_changes c JOIN checkouts k ON k.change_id = c.id
     WHERE c.booking_id = $1 AND c.state = 'refused'
       AND c.outcome #>> '{context,details,reason}' = 'cancelled'`,
    [bookingId],
  );
}

/** Returns the refunds that a booking's cancellation created, in order. */
export async function findCancellationRefunds(tx: Tx, bookingId: string): Promise<string[]> {
  const rows = await many<{ outcome: ChangeOutcome & { kind: 'done' } }>(
    tx,
    `SELECT outcome FROM booking_changes
     WHERE booking_id = $1 AND kind = 'cancel' AND state = 'done' ORDER BY finished_at, id`,
    [bookingId],
  );
  return rows.flatMap((row) => row.outcome.refund_ids);
}
