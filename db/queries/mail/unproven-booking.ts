import { exists } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** Whether a public guest has made a booking and nobody has paid it, or shown that its address is theirs. */
export const isUnproven = (tx: Tx, bookingId: string): Promise<boolean> =>
  exists(tx, `SELECT FROM bookings b WHERE b.id = $1 AND is_unproven(b)`, [bookingId]);
