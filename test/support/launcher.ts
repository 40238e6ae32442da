import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stillRuns, type RecordedProcess } from '../../dev/launcher/process-identity.js';

const ANY_PORT = Object.fromEntries(
  ['PORT', 'POSTGRES_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT']
    .concat(['PROCESSOR_PORT', 'ACCOUNTING_PORT', 'MAIL_PORT', 'SMTP_PORT'])
    .map((name) => [name, '0']),
);
/** The addresses that `npm test` sets for its own stack. */
const OWN_SIMULATORS = { STRIPE_API_URL: '', XERO_API_URL: '', XERO_ISSUER: '' };
/** Kills a launcher that hangs, so that its test fails. */
const LONGEST_MS = 90_000;
const LOOK_MS = 20;

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Names of the processes that it started. */
  started: string[];
  /** Processes that are still running, and files that it should have removed. */
  left: string[];
}

export interface Launcher {
  /** Sends SIGINT to the launcher's process group, as a terminal does on Ctrl-C. */
  interrupt(): void;
  /** Resolves when it has started a part with this name. */
  until(part: string): Promise<void>;
  ended: Promise<Ended>;
}

/** The recorded processes; none without a record, which the launcher removes when it stops. */
function readRecorded(record: string): RecordedProcess[] {
  try {
    return JSON.parse(readFileSync(record, 'utf8')) as RecordedProcess[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Runs the launcher on a home, with free ports. */
export function launch(home: string, env: Record<string, string> = {}): Launcher {
  const launcher = spawn(process.execPath, ['build/dev/launcher/main.js'], {
    env: { ...process.env, ...ANY_PORT, ...OWN_SIMULATORS, ...env, HOLDFAST_HOME: home },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_MS,
  });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    launcher[stream].on('data', (chunk: Buffer) => (output[stream] += chunk.toString()));

  const seen = new Map<string, RecordedProcess>();
  const record = join(home, 'processes.json');
  const look = setInterval(() => {
    for (const each of readRecorded(record)) seen.set(each.identity, each);
  }, LOOK_MS);
  const started = (): string[] => [...seen.values()].map(({ name }) => name);

  const ended = new Promise<Ended>((resolve) => {
    launcher.once('close', (code) => {
      clearInterval(look);
      const running = [...seen.values()].filter(stillRuns).map(({ name }) => name);
      const files = ['launcher.json', 'processes.json', 'dev.json'].filter((file) =>
        existsSync(join(home, file)),
      );
      resolve({ code, ...output, started: started(), left: [...running, ...files] });
    });
  });
  return {
    ended,
    interrupt: () => process.kill(-launcher.pid!, 'SIGINT'),
    async until(part) {
      while (!started().includes(part)) {
        if (launcher.exitCode !== null) throw new Error(`ended before ${part} was started: ${output.stderr}`);
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
    },
  };
}

/** Runs `work` with an empty home, and removes it afterwards. */
export async function inNewHome(work: (home: string) => Promise<void>): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'holdfast-home-'));
  try {
    await work(home);
  } finally {
    // Removing it synchronously would keep other tests from seeing short-lived processes.
    await rm(home, { recursive: true, force: true });
  }
}
