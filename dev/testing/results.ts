import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../launcher/report.js';

const SLOWEST = 10;

/** Counts and prints results. */
export class Results {
  #passed = 0;
  readonly #failures: string[] = [];
  readonly #repeated: string[] = [];
  readonly #folder = mkdtempSync(join(tmpdir(), 'holdfast-times-'));
  /** File to which each test adds a line, its duration in milliseconds and its title. */
  readonly times = join(this.#folder, 'times.txt');

  constructor(private readonly report: Report) {}

  /** Adds a result. `details`, lines about a failure, are printed together with it, since tests run concurrently. */
  add(passed: boolean, title: string, details: string[] = []): void {
    const result = [`  ${passed ? '✔' : '✘'} ${title}`, ...details].join('\n');
    if (passed) this.#passed++;
    else this.#failures.push(result);
    this.report.line(result);
  }

  /** Prints a failure that is not one yet, since the test is repeated. */
  note(title: string, details: string[]): void {
    this.#repeated.push(`  ${title}`);
    this.report.line([`  ↻ ${title}: failed, will be repeated`, ...details].join('\n'));
  }

  /**
   * Prints the slowest tests, the tests that were repeated, the failures again, and the final line `N passed, N failed`.
   * Returns the exit code.
   */
  end(): number {
    this.report.close();
    const slowest = this.#slowestTests();
    if (slowest.length > 0) console.log(`\nThe slowest tests:\n${slowest.join('\n')}`);
    rmSync(this.#folder, { recursive: true, force: true });
    if (this.#repeated.length > 0)
      console.log(`\nFailed once and were repeated:\n${this.#repeated.join('\n')}`);
    const failed = this.#failures.length;
    if (failed > 0) console.log(`\nFailed:\n${this.#failures.join('\n')}`);
    console.log(`\n${this.#passed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  }

  #slowestTests(): string[] {
    let lines: string[] = [];
    try {
      lines = readFileSync(this.times, 'utf8').trim().split('\n');
    } catch {
      // No test has finished.
    }
    return lines
      .map((line) => /^(\d+) (.*)$/.exec(line))
      .flatMap((match) => (match ? [{ ms: Number(match[1]), title: match[2] }] : []))
      .sort((a, b) => b.ms - a.ms)
      .slice(0, SLOWEST)
      .map(({ ms, title }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${title}`);
  }
}
