import { column } from '../../query.js';
import type { Tx } from '../../transaction.js';

/**
 * Returns whether the platform's key is a live-mode key, as the first worker recorded it; undefined until
 * then.
 */
export async function findLiveMode(tx: Tx): Promise<boolean | undefined> {
  const [isLive] = await column<boolean>(tx, `SELECT live_mode FROM platform`);
  return isLive;
}
