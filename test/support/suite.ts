import { appendFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import ava, { type ExecutionContext } from 'ava';

export type { ExecutionContext } from 'ava';
type Work = (t: ExecutionContext) => unknown;
type Hook = () => unknown;

/**
 * `test` for files that share an AVA process. To AVA they are one file. Each keeps what it would have in its own process:
 * the prefix of its titles, its hooks, and serial tests that run one at a time and before its others. Tests of different
 * files run concurrently, at most `TESTS_AT_ONCE` in the process.
 */
const TESTS_AT_ONCE = Number(process.env.TESTS_AT_ONCE || 4);

/** A test that AVA has started and that waits to run. */
interface Waiting {
  serial: boolean;
  start: () => void;
}

class Suite {
  readonly before: Hook[] = [];
  readonly after: Hook[] = [];
  readonly afterEach: Hook[] = [];
  readonly #waiting: Waiting[] = [];
  /** How many tests run one at a time. */
  serialTests = 0;
  #declared = 0;
  #running = 0;
  #runsSerial = false;
  #began?: { at: number; hooks: Promise<void> };
  #ended?: Promise<void>;

  /** `name` is empty if the file is run directly by AVA. */
  constructor(readonly name: string) {}

  titled(title: string): string {
    return this.name ? `${this.name} › ${title}` : title;
  }

  declare(title: string, work: Work, serial: boolean): void {
    this.#declared++;
    if (serial) this.serialTests++;
    register(() =>
      ava(this.titled(title), async (t) => {
        await this.#turn(serial);
        // Teardowns run in reverse order, so this one runs last.
        t.teardown(() => this.#finish(serial));
        await (this.#began ??= { at: Date.now(), hooks: inOrder(this.before) }).hooks;
        await work(t);
      }),
    );
  }

  /** Starts a waiting test if one of this file may run now. */
  startOne(): boolean {
    const serial = this.#waiting.findIndex((test) => test.serial);
    const next = serial === -1 ? 0 : serial;
    const test = this.#waiting[next];
    if (!test || this.#runsSerial || (test.serial && this.#running > 0)) return false;
    this.#waiting.splice(next, 1);
    this.#running++;
    this.#runsSerial = test.serial;
    test.start();
    return true;
  }

  /** Runs the `after` hooks, once, and records how long the file took. */
  end(): Promise<void> {
    const { at } = this.#began ?? {};
    if (at === undefined) return Promise.resolve();
    return (this.#ended ??= inOrder(this.after).finally(() => noteTime(this.name, Date.now() - at)));
  }

  #turn(serial: boolean): Promise<void> {
    return new Promise((start) => {
      this.#waiting.push({ serial, start });
      schedule();
    });
  }

  async #finish(serial: boolean): Promise<void> {
    try {
      await inOrder(this.afterEach);
      if (--this.#declared === 0) await this.end();
    } finally {
      this.#running--;
      if (serial) this.#runsSerial = false;
      running--;
      schedule();
    }
  }
}

const suites: Suite[] = [];
let current = open('');
let running = 0;
let isScheduling = false;

function open(name: string): Suite {
  const suite = new Suite(name);
  suites.push(suite);
  return suite;
}

/** Starts as many tests as may run. Waits first until AVA has started all of its tests. */
async function schedule(): Promise<void> {
  if (isScheduling) return;
  isScheduling = true;
  await nextTurn();
  isScheduling = false;
  for (const suite of suites) while (running < TESTS_AT_ONCE && suite.startOne()) running++;
}

async function inOrder(hooks: Hook[]): Promise<void> {
  for (const hook of hooks) await hook();
}

/** For the list of slowest files at the end of `npm test`. */
function noteTime(file: string, ms: number): void {
  if (process.env.TEST_TIMES) appendFileSync(process.env.TEST_TIMES, `${ms} ${file}\n`);
}

/** Pending declarations. AVA requires all of them within one synchronous block. */
const declarations: (() => void)[] = [];
let isLoading = false;
let hasDeclared = false;

function register(declaration: () => void): void {
  declarations.push(declaration);
  if (!isLoading) declareAll();
}

function declareAll(): void {
  if (!hasDeclared) ava.after.always(endAll);
  hasDeclared = true;
  for (const declaration of declarations.splice(0)) declaration();
}

/** For files of which only some tests were selected. */
async function endAll(): Promise<void> {
  for (const suite of suites) await suite.end();
}

/**
 * Loads test files, such as `test/api/rooms.test.ts`, into this process. A file that cannot be loaded is a failed test.
 */
export async function loadFiles(files: string[]): Promise<void> {
  isLoading = true;
  for (const file of files) {
    current = open(
      file
        .replace(/^test\//, '')
        .replace(/\.test\.ts$/, '')
        .replaceAll('/', ' › '),
    );
    try {
      await import(pathToFileURL(`build/${file.replace(/\.ts$/, '.js')}`).href);
    } catch (error) {
      const title = current.titled('the file can be loaded');
      register(() => ava(title, () => Promise.reject(error)));
    }
  }
  // Files with many serial tests take longest, so they start first.
  suites.sort((a, b) => b.serialTests - a.serialTests);
  declareAll();
}

const declare =
  (serial: boolean) =>
  (title: string, work: Work): void =>
    current.declare(title, work, serial);
function skip(title: string, _work?: Work): void {
  const full = current.titled(title);
  register(() => ava.skip(full, () => undefined));
}
const hook = (kind: 'before' | 'after' | 'afterEach') => (work: Hook) => void current[kind].push(work);

/** The part of AVA's `test` that is used here. */
const test = Object.assign(declare(false), {
  serial: Object.assign(declare(true), { skip }),
  skip,
  before: hook('before'),
  after: { always: hook('after') },
  afterEach: { always: hook('afterEach') },
});
export default test;
