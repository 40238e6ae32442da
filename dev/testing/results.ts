import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../launcher/report.js';

/** The run fails if more tests than these pass only when repeated. */
const MAX_FLAKY = 2;
const CHECKS = 'checks';
const MARKS = { passed: '✔', failed: '✘', skipped: '-' };

export interface Result {
  /** The process of the test. */
  group: string;
  title: string;
  state: keyof typeof MARKS;
  /** Lines about a failure. */
  details?: string[];
  ms?: number;
}

/**
 * Counts and prints results. The folder `home` gets `flaky.json`, the tests that passed only when repeated.
 */
export class Results {
  /** The seed of the random values in tests. */
  readonly #seed = Number((process.env.TEST_SEED ||= String(randomInt(2 ** 31))));
  readonly #results = new Map<string, Result>();
  /** The failures of tests that have passed since. */
  readonly #flaky: Result[] = [];

  constructor(
    private readonly report: Report,
    private readonly home: string,
  ) {
    report.line(`  TEST_SEED=${this.#seed}`);
  }

  /** Adds the result of a check, which is not repeated. */
  add(state: Result['state'], title: string, details: string[] = []): void {
    this.record({ group: CHECKS, title, state, details });
  }

  /** Adds the result of a test. The result of a repetition replaces the first. */
  record(result: Result): void {
    const key = `${result.group} › ${result.title}`;
    const first = this.#results.get(key);
    if (first?.state === 'failed' && result.state === 'passed') this.#flaky.push(first);
    this.#results.set(key, result);
    this.report.line(formatResult(result));
  }

  /** Prints the flaky and failed tests and the last line, `N passed, N failed`. Returns the exit code. */
  end(): number {
    if (this.#flaky.length > MAX_FLAKY) this.add('failed', `more than ${MAX_FLAKY} tests are flaky`);
    if (![...this.#results.values()].some(({ group }) => group !== CHECKS))
      this.add('failed', 'no test was found');
    const results = [...this.#results.values()];
    const of = (state: Result['state']): Result[] => results.filter((result) => result.state === state);
    const [passed, failed, skipped] = [of('passed'), of('failed'), of('skipped')];
    const flaky = this.#flaky.map(({ title, group, details }) => ({
      title,
      group,
      seed: this.#seed,
      output: details,
    }));
    mkdirSync(this.home, { recursive: true });
    writeFileSync(join(this.home, 'flaky.json'), `${JSON.stringify(flaky, null, 2)}\n`);
    const sections = { 'Flaky, passed when repeated': this.#flaky, Failed: failed };
    for (const [heading, tests] of Object.entries(sections))
      if (tests.length > 0) this.report.line(`\n${heading}:\n${tests.map(formatResult).join('\n')}`);
    this.report.line(`\nTEST_SEED=${this.#seed}, ${skipped.length} skipped, ${flaky.length} flaky`);
    this.report.close();
    this.report.line(`${passed.length} passed, ${failed.length} failed`);
    return failed.length === 0 ? 0 : 1;
  }
}

function formatResult({ state, title, group, details = [], ms = 0 }: Result): string {
  const notes = [state === 'failed' && group, ms >= 1_000 && `${Math.round(ms / 1_000)} s`].filter(Boolean);
  return [`  ${MARKS[state]} ${title}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`, ...details].join(
    '\n',
  );
}
