import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationFailure, Context } from '@temporalio/activity';

/** What a worker remembers about the database's beats. */
export interface KeptBeats {
  readonly last: number;
  readonly stopped: AbortSignal;
  see(beat: number): void;
}

const EVERY_MS = 1_000;

/** Keeps the database's beats outside of the database (docs/internals/recovery.md#paused-payments). */
export function createBeatActivities({ beats }: { beats: KeptBeats }) {
  return {
    /**
     * Keeps the latest beat of the database as the details of its heartbeat. Temporal passes these to the
     * next attempt, also on another worker, and shows them to workers that start. Fails when its worker shuts
     * down, so that another worker continues.
     */
    async holdBeat(): Promise<void> {
      const { cancellationSignal, heartbeat, info } = Context.current();
      if (typeof info.heartbeatDetails === 'number') beats.see(info.heartbeatDetails);
      const ended = AbortSignal.any([cancellationSignal, beats.stopped]);
      do heartbeat(beats.last);
      while (await sleep(EVERY_MS, true, { signal: ended }).catch(() => false));
      throw ApplicationFailure.retryable('the process shuts down', 'WorkerShutdown');
    },
  };
}
