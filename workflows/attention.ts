import {
  condition,
  continueAsNew,
  ContinueAsNew,
  isCancellation,
  log,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { ActivityFailure, ApplicationFailure, type Workflow } from '@temporalio/common';
import { OUTSIDE_CALL, TRANSACTION } from './activity-options.js';
import { runDetails, type FailingStep, type RunDetails } from '../contract/run-details.js';
import { searchAttributes } from '../contract/search-attributes.js';

/**
 * What the Web UI shows an operator about a run: what it waits for, and each step that keeps failing.
 * `AttentionNeeded` is true while there is such a step, so that one query lists all stuck runs
 * (docs/internals/temporal.md#search-attributes-and-current-details).
 */
export class Attention {
  private status = '';
  private readonly problems = new Map<string, string | FailingStep>();

  constructor() {
    setHandler(runDetails, () => this.details());
  }

  /** Shows what the run is doing or waiting for. */
  showStatus(status: string): void {
    this.status = status;
    this.show();
  }

  /**
   * Runs a step until it succeeds. Each attempt has the retries of its activity. When those are used up, the
   * step is shown to the operator and attempted again after a pause of 10 s, which doubles up to 5 minutes.
   * After a day the pause is half an hour, so that a history limited to 51,200 events lasts for three months.
   */
  async retryUntilDone<T>(step: string, work: () => Promise<T>): Promise<T> {
    return (await this.retry(step, work)) as T;
  }

  /**
   * Like `retryUntilDone`, but stops when `interrupted` is true in a pause: it returns undefined, and the
   * caller tries again later.
   */
  async retryUnless<T>(
    step: string,
    work: () => Promise<T>,
    interrupted: () => boolean,
  ): Promise<T | undefined> {
    const result = await this.retry(step, work, interrupted);
    this.resolve(step);
    return result;
  }

  private async retry<T>(
    step: string,
    work: () => Promise<T>,
    interrupted?: () => boolean,
  ): Promise<T | undefined> {
    let tries = 0;
    for (let attempt = 1, pause = 10; ; attempt++, pause = Math.min(pause * 2, attempt < 300 ? 300 : 1_800)) {
      try {
        const result = await work();
        this.resolve(step);
        return result;
      } catch (error) {
        if (isCancellation(error) || error instanceof ContinueAsNew) throw error;
        tries += countTries(error);
        const next = new Date(Date.now() + pause * 1000).toISOString();
        this.add(step, { step, ...toFailingStep(error), tries, next });
        const summary = `retry: ${step}`;
        if (!interrupted) await sleep(pause * 1000, { summary });
        else if (await condition(interrupted, pause * 1000, { summary })) return undefined;
      }
    }
  }

  /** Shows a problem: the step or subject, then what happened to it and what to do, as one sentence. */
  raise(step: string, problem: string): void {
    this.add(step, problem);
  }

  private add(step: string, problem: string | FailingStep): void {
    log.warn('step needs attention', { step, problem: inWords(problem) });
    if (this.problems.size === 0) this.flag(true);
    this.problems.set(step, problem);
    this.show();
  }

  /** True if a problem with this step is shown. */
  shows(step: string): boolean {
    return this.problems.has(step);
  }

  resolve(step: string): void {
    if (!this.problems.delete(step)) return;
    if (this.problems.size === 0) this.flag(false);
    this.show();
  }

  /** Removes all problems before a run continues as new. The next run finds out what still fails. */
  clear(): void {
    if (this.problems.size > 0) this.flag(false);
    this.problems.clear();
  }

  /** Continues the run as new, without problems. The next run has the same search attributes. */
  continueAsNew<F extends Workflow>(...input: Parameters<F>): Promise<never> {
    this.clear();
    return continueAsNew<F>(...input);
  }

  private flag(value: boolean): void {
    upsertSearchAttributes([{ key: searchAttributes.attentionNeeded, value }]);
  }

  private show(): void {
    const problems = [...this.problems].map(
      ([step, problem]) => `**Attention:** ${step} ${inWords(problem)}`,
    );
    setCurrentDetails([this.status, ...problems].join('\n\n'));
  }

  private details(): RunDetails {
    const problems = [...this.problems];
    return {
      status: this.status,
      failing: problems.flatMap(([, problem]) => (typeof problem === 'string' ? [] : [problem])),
      problems: problems.flatMap(([step, problem]) =>
        typeof problem === 'string' ? [`${step} ${problem}`] : [],
      ),
    };
  }
}

/**
 * Returns how often a failed activity was tried. Its failure does not contain that, but only these options
 * have a maximum.
 */
function countTries(error: unknown): number {
  if (!(error instanceof ActivityFailure) || error.retryState !== 'MAXIMUM_ATTEMPTS_REACHED') return 1;
  const { cause } = error;
  const { type } = cause instanceof ApplicationFailure ? cause : {};
  const isOutside = type?.startsWith('Processor') || type === 'PaymentsPaused';
  return (isOutside ? OUTSIDE_CALL : TRANSACTION).retry!.maximumAttempts!;
}

/** Returns why an activity failed. Our own failures contain codes, never personal data. */
function toFailingStep(error: unknown): Pick<FailingStep, 'type' | 'message'> {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure) return { type: cause.type ?? 'error', message: cause.message };
  return { type: '', message: cause instanceof Error ? cause.message : String(cause) };
}

/** Returns a problem as a sentence without its subject, the step. */
function inWords(problem: string | FailingStep): string {
  if (typeof problem === 'string') return problem;
  const { type, message, tries, next } = problem;
  const reason = type ? `${type}: ${message}` : message;
  return `keeps failing and is retried: ${reason} (${tries} tries, the next at ${next})`;
}
