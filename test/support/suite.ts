import { appendFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import ava, { type ExecutionContext } from 'ava';

export type { ExecutionContext } from 'ava';
type Work = (t: ExecutionContext) => unknown;
type Hook = () => unknown;

/**
 * Lets several test files share one AVA process. To AVA all of them are one file; this gives each file what it has in a
 * process of its own: a prefix for its titles, serial tests that run before its other tests and one at a time, and its
 * own hooks. Tests of different files run side by side, `TESTS_AT_ONCE` in all.
 */
const TESTS_AT_ONCE = Number(process.env.TESTS_AT_ONCE || 4);

/** A test that AVA has started and that waits for its turn. */
interface Waiting {
  serial: boolean;
  start: () => void;
}

class Suite {
  readonly before: Hook[] = [];
  readonly after: Hook[] = [];
  readonly afterEach: Hook[] = [];
  readonly #waiting: Waiting[] = [];
  /** How many tests run one behind the other. */
  serialTests = 0;
  #declared = 0;
  #running = 0;
  #runsSerial = false;
  #began?: { at: number; hooks: Promise<void> };
  #ended?: Promise<void>;

  /** `name` is empty for a file that AVA runs by itself. */
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
        // The first teardown is the last to run: by then the test's own ones are over.
        t.teardown(() => this.#finish(serial));
        await (this.#began ??= { at: Date.now(), hooks: inOrder(this.before) }).hooks;
        await work(t);
      }),
    );
  }

  /** Starts a test that waits, if one of this file may run now. */
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

  /** Runs the hooks for the end of the file, once, and notes how long the file took. */
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

/** Starts as many tests as may run. Waits first, so that AVA has started all that it will start. */
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

/** `npm test` names the slowest files at its end. */
function noteTime(file: string, ms: number): void {
  if (process.env.TEST_TIMES) appendFileSync(process.env.TEST_TIMES, `${ms} ${file}\n`);
}

/** What is to be declared to AVA, which takes all declarations at once or not at all. */
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

/** Where only some tests of a file were selected, its end comes here. */
async function endAll(): Promise<void> {
  for (const suite of suites) await suite.end();
}

/** Loads test files, named as in `test/api/rooms.test.ts`, into this process. One that cannot be loaded is a failed test. */
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
  // What takes longest begins first.
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

/** What AVA's `test` offers, as far as it is used here. Hooks for the end run always, as AVA's `always` ones. */
const test = Object.assign(declare(false), {
  serial: Object.assign(declare(true), { skip }),
  skip,
  before: hook('before'),
  after: { always: hook('after') },
  afterEach: { always: hook('afterEach') },
});
export default test;
