import { setTimeout as sleep } from 'node:timers/promises';
import { maybeOne } from '../../db/query.js';
import { processorLedger } from '../support/simulators.js';
import { db } from '../support/stack.js';
import type { ChaosWorkspace } from './scene.js';
import type { Violation } from './settle.js';

const POLL_MS = 100;
/** Calls that take, return or request money, or open a page for a card. */
const MOVES_MONEY = /^\/v1\/(checkout\/sessions|payment_intents|refunds)$/;

/**
 * Waits until an account has been read after a time. Returns when that was, or the present if it is stopped
 * before.
 */
async function untilRead(accountId: string, after: Date, stopped: AbortSignal): Promise<Date> {
  const query = `SELECT last_read_at FROM account_reads WHERE account_id = $1 AND last_read_at > $2`;
  while (!stopped.aborted) {
    const read = await maybeOne<{ last_read_at: Date }>(db.manager, query, [accountId, after]);
    if (read) return read.last_read_at;
    await sleep(POLL_MS);
  }
  return new Date();
}

/**
 * Watches accounts whose facts may be missing, from when payments are paused until the accounts have been
 * read. Finds the calls that the processor has received in that time, and executed, although they move money.
 * A call received earlier may be executed late, which no fence can stop.
 */
export async function watchRecovery(
  workspaces: ChaosWorkspace[],
  pausedAt: Date,
  stopped: AbortSignal,
): Promise<Violation[]> {
  const found: Violation[] = [];
  const watch = async ({ workspace }: ChaosWorkspace): Promise<void> => {
    const read = await untilRead(workspace.accountId!, pausedAt, stopped);
    const { requests } = await processorLedger(workspace);
    const moved = requests.filter(({ method, path, status, received_at }) => {
      const received = Date.parse(received_at);
      const isMeanwhile = received > pausedAt.getTime() && received < read.getTime();
      return isMeanwhile && method === 'POST' && MOVES_MONEY.test(path) && status < 400;
    });
    const invariant = 'no money moves on an account between its fence and its reading';
    if (moved.length > 0) found.push({ invariant, found: { pausedAt, read, moved } });
  };
  await Promise.all(workspaces.map(watch));
  return found;
}
