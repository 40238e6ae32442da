import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { DataSource } from 'typeorm';
import { findAccountFacts } from '../../db/queries/processor/account-read.js';
import { WORKFLOWS } from '../../contract/names.js';
import { starts } from '../../contract/starts.js';
import { HOUR_MS } from '../../domain/durations.js';
import { failures } from '../failures.js';
import type { AssertMoneyMoves } from '../gateways/fence.js';
import type { AccountFacts } from '../gateways/processor.js';

/**
 * If an account was last read longer ago than this, it is read before money moves on it. An idle account is
 * read daily.
 */
const KNOWN_MS = 3 * HOUR_MS;
/** How long a step waits for the account to be read, since a client may be waiting. */
const READ_WITHIN_MS = 3_500;

const isKnown = ({ recovering_since, read_until }: AccountFacts): boolean =>
  recovering_since === null && Date.now() - read_until.getTime() < KNOWN_MS;

/**
 * Decides whether money may move on an account (docs/internals/recovery.md#paused-payments). If facts about
 * an account may be missing, it is read first. That continues even after a step has stopped waiting for it.
 */
export function createMoneyGate(deps: {
  db: DataSource;
  client: Client;
  taskQueue: string;
}): AssertMoneyMoves {
  const { db, client, taskQueue } = deps;

  /** Reads an account, and waits some time for the result. */
  async function readNow(accountId: string, workspaceId: string): Promise<'ended' | 'reading'> {
    const start = starts(taskQueue).readAccount(accountId, workspaceId);
    const reading = await client.workflow.start(WORKFLOWS.readAccount, start);
    const ended = reading.result().then(() => 'ended' as const);
    return Promise.race([ended, sleep(READ_WITHIN_MS, 'reading' as const, { ref: false })]);
  }

  return async (accountId, known) => {
    if (known && isKnown(known)) return;
    const before = await findAccountFacts(db.manager, accountId);
    if (!before || isKnown(before)) return;
    const reading = await readNow(accountId, before.workspace_id);
    const after = (await findAccountFacts(db.manager, accountId))!;
    // If an account could not be read but nothing is known to be missing, it is used: webhooks report too.
    const since = after.recovering_since ?? (reading === 'reading' ? after.read_until : null);
    if (since) throw failures.paymentsPaused(accountId, since);
  };
}
