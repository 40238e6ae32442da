import { NOW } from '../../db/database-time.js';
import { one } from '../../db/query.js';
import { Platform } from '../../db/entities/payments.js';
import type { Tx } from '../../db/transaction.js';

/** The platform at the processor: its account, and whether its key is a live-mode key. */
export type PlatformIdentity = Pick<Platform, 'account_id' | 'live_mode'>;

/**
 * Records the platform of the service's key the first time. Returns the recorded platform, which differs if
 * the key was replaced by that of another platform.
 */
export const recordPlatform = (
  tx: Tx,
  { account_id, live_mode }: PlatformIdentity,
): Promise<PlatformIdentity> =>
  one<PlatformIdentity>(
    tx,
    `INSERT INTO platform AS recorded (account_id, live_mode) VALUES ($1, $2)
     ON CONFLICT (id) DO UPDATE SET id = recorded.id RETURNING account_id, live_mode`,
    [account_id, live_mode],
  );

/** Records that the service was intentionally moved to another platform. Returns it. */
export async function replacePlatform(tx: Tx, current: PlatformIdentity): Promise<PlatformIdentity> {
  await tx.upsert(Platform, { id: true, ...current, recorded_at: NOW }, ['id']);
  return current;
}
