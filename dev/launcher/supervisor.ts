import { join, relative } from 'node:path';
import { LogFile } from './log-file.js';
import { Part, type Program } from './part.js';
import { identifyProcess, type RecordedProcess } from './process-identity.js';
import { Interrupted } from './problem.js';
import type { Report } from './report.js';

/** Stopping may take 10 s in total: first the services, then what they depend on. */
const SERVICE_GRACE_MS = 5_000;
const BASE_GRACE_MS = 3_500;

export interface SupervisorOptions {
  logs: string;
  report: Report;
  /** Called after a child has started, with all running children. */
  onChange(running: RecordedProcess[]): void;
}

/** Starts the children, keeps them running, and stops all of them in order. */
export class Supervisor {
  private readonly services: Part[] = [];
  private readonly base: Part[] = [];
  private readonly tasks: Part[] = [];
  private stopped?: Promise<void>;

  constructor(private readonly options: SupervisorOptions) {}

  /** Starts a part that the services depend on: database, Temporal, simulators. */
  startBase(program: Program): Promise<void> {
    return this.begin(this.base, program);
  }

  /** Starts an API or worker process. */
  startService(program: Program): Promise<void> {
    return this.begin(this.services, program);
  }

  /** Runs a program until it exits. Throws `LaunchProblem` unless the exit code is 0. */
  async run(program: Program): Promise<void> {
    const task = this.create(this.tasks, program);
    try {
      await task.runOnce();
    } finally {
      this.tasks.splice(this.tasks.indexOf(task), 1);
    }
  }

  /**
   * Stops one part and does not start it again. Returns how it ended, such as "(pid 12)
   * ended with exit code 0".
   */
  async stopPart(name: string, graceMs: number): Promise<string> {
    for (const parts of [this.services, this.base]) {
      const index = parts.findIndex(({ program }) => program.name === name);
      if (index < 0) continue;
      const how = await parts[index]!.stop(graceMs);
      parts.splice(index, 1);
      return how;
    }
    throw new Error(`there is no part ${name}`);
  }

  /** The pids of the services named `kind` or `kind-<n>`, in order. */
  pids(kind: string): number[] {
    return this.services
      .filter(({ program }) => program.name === kind || program.name.startsWith(`${kind}-`))
      .flatMap(({ pid }) => pid ?? []);
  }

  /** Stops all children. May be called more than once, and during a start. Never throws. */
  stop(): Promise<void> {
    this.stopped ??= (async () => {
      await Promise.all([this.stopAll(this.tasks, 0), this.stopAll(this.services, SERVICE_GRACE_MS)]);
      await this.stopAll(this.base, BASE_GRACE_MS);
    })();
    return this.stopped;
  }

  /** Reports a part that cannot be stopped, and stops the others. */
  private async stopAll(parts: Part[], graceMs: number): Promise<void> {
    const stopOne = (part: Part): Promise<unknown> =>
      part.stop(graceMs).catch((error: Error) => {
        this.options.report.line(`  ✘ ${part.program.name} could not be stopped (${error.message})`);
      });
    await Promise.all(parts.map(stopOne));
  }

  private async begin(parts: Part[], program: Program): Promise<void> {
    await this.create(parts, program).start();
    if (this.stopped) throw new Interrupted();
  }

  private create(parts: Part[], program: Program): Part {
    if (this.stopped) throw new Interrupted();
    const log = new LogFile(join(this.options.logs, `${program.name}.log`));
    const part = new Part(program, log, {
      onSpawn: () => this.options.onChange(this.running()),
      onCrash: (_, how) =>
        this.options.report.line(`  ✘ ${how}; starting it again. Log: ${relative(process.cwd(), log.path)}`),
    });
    parts.push(part);
    return part;
  }

  private running(): RecordedProcess[] {
    return [...this.services, ...this.base, ...this.tasks].flatMap(({ pid, program }) => {
      const identity = pid === undefined ? undefined : identifyProcess(pid);
      return pid === undefined || identity === undefined ? [] : [{ name: program.name, pid, identity }];
    });
  }
}
