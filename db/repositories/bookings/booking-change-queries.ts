import type { CancelRequest } from '../../../domain/booking-cancellation.js';
import type { ChangeOutcome, ChangeRequest } from '../../../domain/booking-change.js';
import { column, many } from '../../query.js';
import { repository, type Row } from '../../tables.js';
import type { Tx } from '../../transaction.js';

/** A requested change or cancellation. `request` is null once it is finished. */
export type BookingChange = Omit<Row<'booking_changes'>, 'kind' | 'request'> &
  ({ kind: 'change'; request: ChangeRequest | null } | { kind: 'cancel'; request: CancelRequest | null });

/** A change by id. */
export async function findChange(tx: Tx, id: string): Promise<BookingChange | null> {
  return (await repository(tx, 'booking_changes').findOneBy({ id })) as BookingChange | null;
}

/** The changes of a booking whose charge has no known outcome, withdrawn ones included. */
export function findUnsettledChanges(tx: Tx, bookingId: string): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT id FROM booking_changes WHERE booking_id = $1 AND state IN ('charging', 'withdrawn') ORDER BY created_at, id`,
    [bookingId],
  );
}

/** The refunds that a booking's cancellation created, in order. */
export async function findCancellationRefunds(tx: Tx, bookingId: string): Promise<string[]> {
  const rows = await many<{ outcome: ChangeOutcome & { kind: 'done' } }>(
    tx,
    `SELECT outcome FROM booking_changes
     WHERE booking_id = $1 AND kind = 'cancel' AND state = 'done' ORDER BY finished_at, id`,
    [bookingId],
  );
  return rows.flatMap((row) => row.outcome.refund_ids);
}
