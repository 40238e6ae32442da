import { runGroup, type Failure } from './ava.js';
import type { Group } from './groups.js';
import type { Results } from './results.js';

interface Failed {
  group: Group;
  env: Record<string, string | undefined>;
  failures: Failure[];
}

/**
 * Runs groups of tests, and what failed once more, one test at a time, when the others are done: a test that failed only
 * because the machine was busy then passes, and is named. One that fails twice has failed.
 */
export class Retries {
  #failed: Failed[] = [];

  constructor(
    private readonly results: Results,
    private readonly interrupted: Promise<void>,
  ) {}

  async run(group: Group, env: Record<string, string | undefined>): Promise<void> {
    const failures = await runGroup(group, env, this.results, this.interrupted);
    if (failures.length === 0) return;
    for (const { title, details } of failures) this.results.note(named(group, title), details);
    this.#failed.push({ group, env, failures });
  }

  /** Repeats what has failed since the last call. */
  async repeat(): Promise<void> {
    for (const { group, env, failures } of this.#failed.splice(0)) {
      // If the process has ended, which tests it did not run is unknown.
      const hasEnded = failures.some(({ title }) => title === null);
      const titles = hasEnded ? [] : failures.flatMap(({ title }) => title ?? []);
      const alone = { ...group, name: `${group.name}-again`, testsAtOnce: 1 };
      const again = await runGroup(alone, env, this.results, this.interrupted, titles);
      for (const { title, details } of again) this.results.add(false, named(group, title), details);
    }
  }
}

const named = ({ name }: Group, title: string | null): string =>
  title ?? `the tests of ${name} ended before they were done`;
