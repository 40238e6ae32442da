import { spawn, type ChildProcess } from 'node:child_process';
import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogFile } from './log-file.js';
import { Interrupted, LaunchProblem } from './problem.js';
import { sendSignal } from './process-identity.js';

const READY_WITHIN_MS = 120_000;
const POLL_MS = 50;
const SETTLED_MS = 5_000;
const LONGEST_PAUSE_MS = 1_500;

/** Runs a program until it exits. Throws unless the exit code is 0. */
export type Run = (program: Program) => Promise<void>;

/** How to run a child process, and how to detect that it is ready. */
export interface Program {
  name: string;
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  uid?: number;
  gid?: number;
  stopSignal?: NodeJS.Signals;
  /** Milliseconds after which it is killed. */
  timeout?: number;
  /** Polled until true. Without it, the program must call `process.send({ ready: true })`. */
  isReady?: () => Promise<boolean>;
}

export interface PartEvents {
  onSpawn(part: Part): void;
  onCrash(part: Part, how: string): void;
}

/** A child process that is restarted whenever it exits unexpectedly. */
export class Part {
  private child?: ChildProcess;
  private ended: Promise<string> = Promise.resolve('');
  private settled = false;
  private stopping = false;
  private quickDeaths = 0;
  private spawnedAt = 0;

  constructor(
    readonly program: Program,
    readonly log: LogFile,
    private readonly events: PartEvents,
  ) {}

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /**
   * Resolves when the child is ready. Throws `LaunchProblem` if it exits before; it is not restarted then.
   */
  async start(): Promise<void> {
    const child = this.spawn();
    const died = this.ended.then((how) => {
      if (this.stopping) throw new Interrupted();
      throw this.problem(`${how} while starting`);
    });
    await Promise.race([
      this.program.isReady ? this.pollReady() : reportedReady(child),
      died,
      this.tooLong(),
    ]);
    this.settled = true;
    // The child may have exited just as it became ready.
    if (this.pid === undefined) this.startAgain();
  }

  /** Runs the child until it exits. Throws `LaunchProblem` unless the exit code is 0. */
  async runOnce(): Promise<void> {
    this.spawn();
    const how = await this.ended;
    this.log.close();
    if (this.stopping) throw new Interrupted();
    if (!how.endsWith('exit code 0')) throw this.problem(how);
  }

  /** Signals the child to stop, and kills its process group after `graceMs`. Returns how it ended. */
  async stop(graceMs: number): Promise<string> {
    this.stopping = true;
    const pid = this.pid;
    if (pid !== undefined) {
      sendSignal(pid, this.program.stopSignal ?? 'SIGTERM');
      const stopped = new AbortController();
      const grace = sleep(graceMs, undefined, { signal: stopped.signal }).then(
        () => sendSignal(-pid, 'SIGKILL'),
        () => {},
      );
      await this.ended;
      stopped.abort();
      await grace;
    }
    this.log.close();
    return this.ended;
  }

  /** For messages: "api (pid 12) was killed by SIGKILL". */
  describe(how: string): string {
    return `${this.program.name} ${how}`;
  }

  private problem(how: string): LaunchProblem {
    const reason = this.log.reason();
    const log = relative(process.cwd(), this.log.path);
    return new LaunchProblem(`${this.describe(how)}${reason && `: ${reason}`} (log: ${log}).`);
  }

  private spawn(): ChildProcess {
    const { command, args, env, cwd, uid, gid, timeout, isReady } = this.program;
    this.spawnedAt = Date.now();
    // Detached: on Ctrl-C the terminal signals only the launcher, which stops the parts in order.
    const child = spawn(command, args, {
      env: env ?? process.env,
      cwd,
      uid,
      gid,
      timeout,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', ...(isReady ? [] : (['ipc'] as const))],
    });
    this.child = child;
    child.stdout?.on('data', (chunk: Buffer) => this.log.write(chunk));
    child.stderr?.on('data', (chunk: Buffer) => this.log.write(chunk));
    this.ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(`could not be run (${error.message})`));
      child.once('close', (code, signal) =>
        resolve(`(pid ${child.pid}) ${signal ? `was killed by ${signal}` : `ended with exit code ${code}`}`),
      );
    });
    void this.ended.then((how) => this.onEnd(child, how));
    if (child.pid !== undefined) this.events.onSpawn(this);
    return child;
  }

  private onEnd(child: ChildProcess, how: string): void {
    if (child.pid !== undefined) sendSignal(-child.pid, 'SIGKILL');
    this.child = undefined;
    if (this.stopping || !this.settled) return;
    this.events.onCrash(this, this.describe(how));
    this.startAgain();
  }

  private startAgain(): void {
    this.quickDeaths = Date.now() - this.spawnedAt < SETTLED_MS ? this.quickDeaths + 1 : 0;
    const pause = this.quickDeaths === 0 ? 0 : Math.min(100 * 2 ** this.quickDeaths, LONGEST_PAUSE_MS);
    setTimeout(() => {
      if (!this.stopping) this.spawnOrRetry();
    }, pause);
  }

  /** `spawn` throws for some errors, such as ETXTBSY while another process writes the program's file. */
  private spawnOrRetry(): void {
    try {
      this.spawn();
    } catch (error) {
      this.events.onCrash(this, this.describe(`could not be run (${(error as Error).message})`));
      this.startAgain();
    }
  }

  private async pollReady(): Promise<void> {
    while (this.pid !== undefined && !this.stopping) {
      if (await this.program.isReady!()) return;
      await sleep(POLL_MS);
    }
    await this.ended;
  }

  private async tooLong(): Promise<never> {
    await sleep(READY_WITHIN_MS, undefined, { ref: false });
    throw new LaunchProblem(
      `${this.program.name} was not ready after ${READY_WITHIN_MS / 1000} s; its log is ${this.log.path}.`,
    );
  }
}

function reportedReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      if ((message as { ready?: unknown } | null)?.ready === true) resolve();
    });
  });
}
