import { exists } from '../../query.js';
import type { Tx } from '../../transaction.js';

/**
 * Returns whether a public guest made a booking, and nobody has paid it or proved that its address is theirs.
 */
export const isUnproven = (tx: Tx, bookingId: string): Promise<boolean> =>
  exists(tx, `SELECT FROM bookings b WHERE b.id = $1 AND is_unproven(b)`, [bookingId]);
