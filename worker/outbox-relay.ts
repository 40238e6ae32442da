import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { writeNewUpdates, type AccountingDependencies } from '../activities/accounting/new-updates.js';
import { sendNewMails, type MailDependencies } from '../activities/mail/delivery.js';
import { findWorkspacesWithNewUpdates } from '../db/queries/accounting/pending-update.js';
import { findWorkspacesWithNewEvents } from '../db/queries/events/event.js';
import { POSITION_BATCH, assignPositions, tryLockEvents } from '../commands/events/positions.js';
import { findQueuesWithNewMail } from '../db/queries/mail/mail-queue.js';
import { findOutboxesWithRows, type OutboxName } from '../db/queries/outbox.js';
import { transaction } from '../db/transaction.js';
import { Backoff } from './backoff.js';
import { DIGESTS, enqueueDue, REMINDERS } from './due-rows.js';
import { Dispatcher, type DispatcherDependencies } from './dispatcher.js';
import { FirstAttempts, type NewRows } from './first-attempts.js';
import { OUTBOXES } from './outboxes.js';

/** The pause between two polls of the database. */
const POLL_MS = 100;
const PAUSE_AFTER_FAILURE_MS = 2_000;

export interface RelayDependencies extends DispatcherDependencies {
  log: Logger;
  mail: MailDependencies;
  countMails: (sent: number) => void;
  accounting: AccountingDependencies;
  /** Counts a failed call of a first attempt. */
  countFailure: (error: unknown) => void;
}

/** The key of the mail queue that belongs to no workspace. */
const SIGN_IN = 'sign-in';
const toQueue = (key: string): string | null => (key === SIGN_IN ? null : key);

/**
 * Returns new mail, in one of two lanes, so that mail that somebody is waiting for does not wait behind other
 * mail (docs/rules/mail.md#order).
 */
const newMail = (
  { db, log, mail, countMails }: RelayDependencies,
  signal: AbortSignal,
  urgent: boolean,
): NewRows => ({
  async findQueues({ except, turns, limit }) {
    const query = { urgent, except: except.map(toQueue), turns: turns.map(toQueue), limit };
    const found = await findQueuesWithNewMail(db.manager, query);
    return found.map((queue) => queue ?? SIGN_IN);
  },
  async process(queue) {
    const warn = (details: object): void => log.warn(details, 'mail not sent');
    countMails(await sendNewMails(mail, { workspaceId: toQueue(queue), urgent }, { signal, warn }));
  },
});

/** The rows that a relay processes itself. */
const newRows = (deps: RelayDependencies, signal: AbortSignal): { name: OutboxName; rows: NewRows }[] => [
  { name: 'new mail', rows: newMail(deps, signal, true) },
  { name: 'new mail', rows: newMail(deps, signal, false) },
  {
    name: 'new accounting updates',
    rows: {
      findQueues: (page) => findWorkspacesWithNewUpdates(deps.db.manager, page),
      process: (workspaceId) =>
        writeNewUpdates(deps.accounting, workspaceId, {
          signal,
          failed(invoice, error) {
            deps.countFailure(error);
            deps.log.info({ invoice, reason: String(error) }, 'accounting update failed, left to a run');
          },
        }),
    },
  },
];

/**
 * Assigns positions to new events (docs/rules/events.md#order-and-positions). Skips a workspace that another
 * relay is working on, and one that failed a moment ago. Returns true if there are more: positions are
 * assigned in batches, so that the first events are sent while the last ones still wait.
 */
async function assignNewPositions(
  db: DataSource,
  workspaceIds: string[],
  backoff: Backoff,
): Promise<boolean> {
  let more = false;
  for (const workspaceId of workspaceIds)
    await backoff.attempt(workspaceId, async () => {
      const assigned = await transaction(db, async (tx) =>
        (await tryLockEvents(tx, workspaceId)) ? assignPositions(tx, workspaceId) : 0,
      );
      if (assigned === POSITION_BATCH) more = true;
    });
  return more;
}

/**
 * Relays the outbox until it is stopped (docs/internals/architecture.md#the-outbox): assigns positions to
 * committed events, sends new mail and accounting updates, enqueues reminders and daily mail that are due,
 * and signals the workflows for which transactions have left rows. Every worker runs a relay. All state is in
 * the database, so a relay can be killed at any point. A row that two relays find is signalled twice, which
 * is harmless. A failing outbox, workspace or row does not stop the others. Returns the function that stops
 * the relay.
 */
export function startOutboxRelay(deps: RelayDependencies): () => Promise<void> {
  const stopping = new AbortController();
  const pause = (ms: number): Promise<void> =>
    sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
  const warn = (outbox: OutboxName | 'all', err: unknown, failed?: number): void =>
    deps.log.warn({ err, outbox, failed }, 'outbox relay failed, will retry');

  const ofEvents = new Backoff();
  const works = [
    {
      name: 'event positions' as const,
      polls: 1,
      backoff: ofEvents,
      async work(found: string[]) {
        let workspaceIds = found;
        while ((await assignNewPositions(deps.db, workspaceIds, ofEvents)) && !stopping.signal.aborted)
          workspaceIds = await findWorkspacesWithNewEvents(deps.db.manager);
        return false;
      },
      settled: () => Promise.resolve(),
    },
    ...newRows(deps, stopping.signal).map(({ name, rows }) => {
      const backoff = new Backoff();
      const attempts = new FirstAttempts(rows, backoff, stopping.signal);
      const work = () => attempts.beginDue().then(() => false);
      return { name, polls: 3, backoff, work, settled: () => attempts.settled() };
    }),
    ...[
      { name: 'reminders' as const, rows: REMINDERS },
      { name: 'staff digests' as const, rows: DIGESTS },
    ].map(({ name, rows }) => ({
      name,
      polls: 3,
      backoff: new Backoff(),
      work: () => enqueueDue(deps, rows),
      settled: () => Promise.resolve(),
    })),
    ...OUTBOXES.map((outbox) => {
      const backoff = new Backoff();
      const dispatcher = new Dispatcher(deps, outbox, backoff);
      const work = () => dispatcher.dispatchDue().then(() => false);
      return { name: outbox.name, polls: outbox.polls, backoff, work, settled: () => dispatcher.settled() };
    }),
  ];
  const running = new Map<(typeof works)[number], Promise<void>>();

  /** Works on an outbox while there are rows. A failure ends it after a pause. Never throws. */
  async function workOn(each: (typeof works)[number], newEvents: string[]): Promise<void> {
    const { name, backoff, work } = each;
    try {
      for (let more = true; more && !stopping.signal.aborted;) {
        more = await work(newEvents);
        const errors = backoff.takeErrors();
        if (errors.length > 0) warn(name, errors[0], errors.length);
      }
    } catch (error) {
      warn(name, error);
      await pause(PAUSE_AFTER_FAILURE_MS);
    }
    running.delete(each);
  }

  async function poll(): Promise<void> {
    for (let n = 0; !stopping.signal.aborted; n++) {
      try {
        const { hasRows, newEvents } = await findOutboxesWithRows(deps.db.manager);
        for (const each of works)
          if (hasRows[each.name] && n % each.polls === 0 && !running.has(each))
            running.set(each, workOn(each, newEvents));
        await pause(POLL_MS);
      } catch (error) {
        warn('all', error);
        await pause(PAUSE_AFTER_FAILURE_MS);
      }
    }
    await Promise.all(running.values());
    await Promise.all(works.map(({ settled }) => settled()));
  }

  const polling = poll();
  return async () => {
    stopping.abort();
    await polling;
  };
}
