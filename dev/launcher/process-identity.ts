import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process as it is recorded in a file. Pids are reused, so a pid alone does not identify it. */
export interface RecordedProcess {
  name: string;
  pid: number;
  identity: string;
}

/**
 * Identifies the process that has a pid now, by the boot id and its start time. Undefined if there is none.
 */
export function identifyProcess(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux') {
      return (
        execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
      );
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name, in parentheses, may contain spaces. The fields after it are state
    // (3rd) to start time (22nd).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** True while the recorded process runs. */
export function stillRuns(recorded: RecordedProcess): boolean {
  return identifyProcess(recorded.pid) === recorded.identity;
}

/**
 * Sends a signal to a process, or to a process group if the pid is negative. Does nothing if it has ended.
 */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
