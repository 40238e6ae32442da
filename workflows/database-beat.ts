import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { Attention } from './attention.js';

const { holdBeat } = proxyActivities<Activities>({
  startToCloseTimeout: '365 days',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 second' },
});

/**
 * Keeps the latest beat of the database, so that an older database is detected
 * (docs/internals/recovery.md#paused-payments). Runs forever.
 */
export async function databaseBeat(): Promise<void> {
  new Attention().showStatus(
    'Remembers how far the database is, so that one which lost something is noticed.',
  );
  for (;;) await holdBeat();
}
