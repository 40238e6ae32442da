import type { DataSource } from 'typeorm';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { transaction } from '../../db/transaction.js';
import { mergeMetadata, sameMetadata, type MetadataChange } from '../../domain/metadata.js';
import type { Principal } from '../../domain/policies.js';
import { boundBefore, partKey, type IdempotencyKey } from '../api-keys/idempotency.js';
import { auditEdit } from '../audit-log/audit.js';
import { lockWorkspaceBooking, recordBookingEvent, updateBooking } from './bookings.js';

/**
 * Changes the metadata of a booking in any status (docs/rules/api.md#metadata). The booking's run does not
 * need to know. Stores nothing if nothing changes. Returns the booking. `isPart`: another part of the request
 * binds its key. Errors: 404 `booking_not_found`; 422.
 */
export const changeBookingMetadata = (
  db: DataSource,
  by: Principal,
  id: string,
  change: MetadataChange,
  { idempotency, isPart }: { idempotency: IdempotencyKey | null; isPart: boolean },
): Promise<BookingRow> =>
  transaction(db, async (tx) => {
    const key = isPart ? partKey(idempotency, 'metadata') : idempotency;
    const isDone = (await boundBefore(tx, by.workspace_id, key, id)) !== null;
    const booking = await lockWorkspaceBooking(tx, by, id);
    if (isDone) return booking;
    const { metadata: before } = booking;
    const metadata = mergeMetadata(before, change);
    if (sameMetadata(metadata, before)) return booking;
    const changed = await updateBooking(tx, booking, { metadata, updated_at: new Date() });
    await recordBookingEvent(tx, 'booking.updated', changed, { metadata: before });
    const edit = { before: { metadata: before }, after: { metadata } };
    await auditEdit(tx, by, { action: 'booking.details_changed', object: id, ...edit });
    return changed;
  });
