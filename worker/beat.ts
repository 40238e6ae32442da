import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { recordBeat, recoverSince, type Beat, type KnownBeat } from '../commands/workspaces/recovery.js';
import { WORKFLOWS } from '../contract/names.js';
import { starts } from '../contract/starts.js';
import { hasRecoveringAccounts } from '../db/queries/workspaces/recovery.js';
import { transaction } from '../db/transaction.js';

const EVERY_MS = 1_000;

/**
 * What a process remembers about the database's beats. The activity that keeps the latest one at Temporal
 * shares it.
 */
export class Beats {
  private seen = 0;
  private readonly ended = new AbortController();

  /** The latest beat that is known here. */
  get last(): number {
    return this.seen;
  }

  /** Aborted when the process shuts down. */
  get stopped(): AbortSignal {
    return this.ended.signal;
  }

  /** Records a beat that others have seen. */
  see(beat: number): void {
    this.seen = Math.max(this.seen, beat);
  }

  stop(): void {
    this.ended.abort();
  }
}

interface Dependencies {
  db: DataSource;
  client: Client;
  log: Logger;
  taskQueue: string;
  beats: Beats;
  /** RECOVER_SINCE. */
  since: Date | null;
  /** Informs the operators of the service. */
  tell: (behind: NonNullable<Beat['behind']>) => Promise<void>;
}

/**
 * Detects whether the database is older than before, when a worker starts and then every second. If it is,
 * pauses payments (docs/internals/recovery.md#paused-payments). Resolves when this is known for the first
 * time; no money may move before that. `settled` resolves when the beats have ended.
 */
export async function startBeats(deps: Dependencies): Promise<{ settled: Promise<void> }> {
  const { db, log, since } = deps;
  await untilDone(deps, async () => {
    const runId = await askTemporal(deps);
    await beatOnce(deps, { runId });
    if (!since) return;
    const accounts = await transaction(db, (tx) => recoverSince(tx, since));
    if (accounts !== null) log.warn({ since, accounts }, 'RECOVER_SINCE is set: payments are paused');
  });
  return { settled: keepBeating(deps) };
}

async function keepBeating(deps: Dependencies): Promise<void> {
  const { beats, log } = deps;
  while (await pause(beats)) {
    // During an outage of the database there is nothing to compare.
    await beatOnce(deps, { runId: null }).catch((error) =>
      log.debug({ err: error }, 'the beat of the database could not be recorded'),
    );
    await readRecovering(deps).catch((error) =>
      log.debug({ err: error }, 'accounts are read by the next job'),
    );
  }
}

/** Repeats work that fails until it succeeds or the process shuts down. */
async function untilDone({ beats, log }: Dependencies, work: () => Promise<void>): Promise<void> {
  do {
    try {
      return await work();
    } catch (error) {
      log.warn({ err: error }, 'cannot check yet whether the database is older than Temporal');
    }
  } while (await pause(beats));
}

const pause = ({ stopped }: Beats): Promise<boolean> =>
  sleep(EVERY_MS, true, { signal: stopped }).catch(() => false);

async function beatOnce(deps: Dependencies, { runId }: Pick<KnownBeat, 'runId'>): Promise<void> {
  const { db, log, beats } = deps;
  const { beat, behind } = await transaction(db, (tx) => recordBeat(tx, { beat: beats.last, runId }));
  beats.see(beat);
  if (!behind) return;
  log.error(
    behind,
    'the database may lack what happened since then: payments are paused until it has been read',
  );
  void deps.tell(behind);
}

/** Has the accounts read on which payments are paused. */
async function readRecovering({ db, client, taskQueue }: Dependencies): Promise<void> {
  if (!(await hasRecoveringAccounts(db.manager))) return;
  await client.workflow.start(WORKFLOWS.readAccounts, starts(taskQueue).readRecovering());
}

/**
 * Starts the run that keeps the beats, unless it is running, and records the latest beat. Returns the run's
 * id.
 */
async function askTemporal({ client, taskQueue, beats }: Dependencies): Promise<string> {
  const handle = await client.workflow.start(WORKFLOWS.databaseBeat, starts(taskQueue).databaseBeat());
  const { runId, raw } = await handle.describe();
  const kept = raw.pendingActivities?.[0]?.heartbeatDetails?.payloads?.[0];
  const beat: unknown = kept && defaultPayloadConverter.fromPayload(kept);
  if (typeof beat === 'number') beats.see(beat);
  return runId;
}
