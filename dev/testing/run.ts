import { fork } from 'node:child_process';
import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { writeEntryFile, type Group } from './groups.js';
import type { Results } from './results.js';

/** The fields of AVA's events that are read here. Each type of event has some of them. */
interface AvaEvent {
  type: string;
  testFile: string;
  title: string;
  duration: number;
  skip?: boolean;
  todo?: boolean;
  logs?: string[];
  err?: AvaError;
  nonZeroExitCode?: number;
  signal?: string;
}

/** A failed assertion has details, or as its cause the value that the test has thrown. */
interface AvaError {
  type: 'ava' | 'native' | 'aggregate' | 'unknown';
  message: string;
  stack?: string;
  originalError: { cause?: unknown };
  formattedDetails: { label: string; formatted: string }[];
}

type Environment = Record<string, string | undefined>;
/** A group to repeat: these tests, or without a list all of them, since its process ended. */
type Failed = { group: Group; env: Environment; titles: string[] };

const PROCESS = 'the process of the tests ended before they were done';

/** Runs groups of tests, limited to titles that match like AVA's `--match`, and repeats failed ones once. */
export class Runner {
  #failed: Failed[] = [];

  constructor(
    private readonly results: Results,
    private readonly interrupted: Promise<void>,
    private readonly matches: string[] = [],
  ) {}

  /** Runs groups, with `atOnce` of them running concurrently. */
  async run(groups: Group[], env: Environment = {}, atOnce = 1): Promise<void> {
    if (groups.length === 0) return;
    this.#failed.push(...(await this.#ava(groups, env, this.matches, `--concurrency=${atOnce}`)));
  }

  /** Repeats what has failed since the last call, one test at a time. */
  async repeat(): Promise<void> {
    for (const { group, env, titles } of this.#failed.splice(0)) {
      const ended = titles.length === 0;
      const [again] = await this.#ava([group], env, ended ? this.matches : titles, '--serial');
      if (ended && again?.titles.length !== 0)
        this.results.record({ group: group.name, title: PROCESS, state: 'passed' });
    }
  }

  /** Runs groups with AVA. Adds the results of their tests. Returns what has failed. */
  async #ava(groups: Group[], env: Environment, matches: string[], flag: string): Promise<Failed[]> {
    const newRun = () => ({ titles: [] as string[], problems: [] as string[], running: new Set<string>() });
    const runs = new Map(
      groups.map((group) => [resolve(writeEntryFile(group)), { group, isDone: false, ...newRun() }]),
    );
    const args = [flag, ...matches.map((match) => `--match=${match}`), ...runs.keys()];
    const ava = fork('node_modules/ava/entrypoints/cli.mjs', args, {
      env: { ...process.env, ...env, FORCE_COLOR: '0' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    void this.interrupted.then(() => ava.kill('SIGTERM'));
    ava.on('message', (event: AvaEvent) => {
      const run = runs.get(event.testFile);
      if (!run) return;
      const { type, title, duration: ms } = event;
      const test = { group: run.group.name, title, ms };
      if (type === 'selected-test' && !event.skip && !event.todo) run.running.add(title);
      else if (type === 'selected-test') this.results.record({ ...test, state: 'skipped' });
      else if (type === 'worker-finished') run.isDone = true;
      else if (type === 'test-passed') this.results.record({ ...test, state: 'passed' });
      else if (type === 'test-failed') {
        this.results.record({ ...test, state: 'failed', details: failureLines(event) });
        run.titles.push(title);
      } else if (event.err || event.nonZeroExitCode || event.signal)
        run.problems.push(...failureLines(event));
      if (type === 'test-passed' || type === 'test-failed') run.running.delete(title);
    });
    await new Promise((ended) => ava.once('close', ended));
    return [...runs.values()].flatMap(({ group, isDone, titles, problems, running }) => {
      if (isDone && problems.length === 0 && running.size === 0)
        return titles.length > 0 ? [{ group, env, titles }] : [];
      const details = [...problems, ...[...running].map((title) => `      was running: ${title}`)];
      this.results.record({ group: group.name, title: PROCESS, state: 'failed', details });
      return [{ group, env, titles: [] }];
    });
  }
}

/** The lines about an event that is a failure. */
function failureLines({ type, logs = [], err, nonZeroExitCode, signal }: AvaEvent): string[] {
  const said = [...logs];
  if (err?.type === 'ava' && err.originalError.cause === undefined) {
    const details = err.formattedDetails.map(({ label, formatted }) => `${label}\n${formatted}`);
    said.push(err.message, ...details, err.stack ?? '');
  } else
    said.push(
      err ? inspect(err.originalError?.cause ?? err.originalError) : `${type} ${nonZeroExitCode ?? signal}`,
    );
  return said.flatMap((text) => text.split('\n')).map((line) => `      ${line}`);
}
