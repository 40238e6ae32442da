import { column } from '../../query.js';
import type { Tx } from '../../transaction.js';

/**
 * Whether the platform's key is one of live mode, as the first worker has recorded it; undefined until then.
 */
export async function findLiveMode(tx: Tx): Promise<boolean | undefined> {
  const [isLive] = await column<boolean>(tx, `SELECT live_mode FROM platform`);
  return isLive;
}
