import {
  ContinueAsNew,
  isCancellation,
  log,
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import { searchAttributes } from './contract.js';

/**
 * What an operator sees who opens a run in the Web UI: what it waits for, and each step that keeps failing.
 * `AttentionNeeded` is true while there is such a step, so that one query lists all stuck bookings.
 */
export class Attention {
  private waitingFor = '';
  private readonly troubles = new Map<string, string>();

  /** Says in words what the run waits for now. */
  waitFor(words: string): void {
    this.waitingFor = words;
    this.show();
  }

  /**
   * Runs a step until it succeeds. Each try has its own retries; when they are used up the step is shown to the
   * operator and tried again, after ten seconds at first, then every five minutes, and after a day every half hour:
   * so a history that holds 51,200 events lasts for three months.
   */
  async keepTrying<T>(step: string, work: () => Promise<T>): Promise<T> {
    for (let tries = 1, pause = 10; ; tries++, pause = Math.min(pause * 2, tries < 300 ? 300 : 1_800)) {
      try {
        const result = await work();
        this.settle(step);
        return result;
      } catch (error) {
        if (isCancellation(error) || error instanceof ContinueAsNew) throw error;
        this.raise(step, reasonOf(error));
        await sleep(pause * 1000, { summary: `then try again: ${step}` });
      }
    }
  }

  /** Shows a step that needs a person. */
  raise(step: string, reason: string): void {
    log.warn('step needs attention', { step, reason });
    if (this.troubles.size === 0) this.flag(true);
    this.troubles.set(step, reason);
    this.show();
  }

  /** Forgets the troubles before a run goes on anew: that finds out by itself what still fails. */
  clear(): void {
    if (this.troubles.size > 0) this.flag(false);
    this.troubles.clear();
  }

  private settle(step: string): void {
    if (!this.troubles.delete(step)) return;
    if (this.troubles.size === 0) this.flag(false);
    this.show();
  }

  private flag(value: boolean): void {
    upsertSearchAttributes([{ key: searchAttributes.attentionNeeded, value }]);
  }

  private show(): void {
    const troubles = [...this.troubles].map(
      ([step, reason]) => `**Attention:** ${step} keeps failing: ${reason}`,
    );
    setCurrentDetails([this.waitingFor, ...troubles].join('\n\n'));
  }
}

/** The innermost reason of a failed activity: our own failures carry codes, never anyone's data. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure) return `${cause.type ?? 'error'}: ${cause.message}`;
  return cause instanceof Error ? cause.message : String(cause);
}
