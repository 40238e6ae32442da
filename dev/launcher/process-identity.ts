import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process as a file can remember it: a pid alone may belong to another program by now. */
export interface RecordedProcess {
  name: string;
  pid: number;
  identity: string;
}

/**
 * A text that only this life of this pid has (its start time, and the boot it belongs to), or undefined when
 * no such process runs.
 */
export function identityOf(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux') {
      return (
        execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
      );
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name, in brackets, may hold blanks; the fields after it are state (3rd) … start time (22nd).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** True while the very process that was recorded still runs. */
export function stillRuns(recorded: RecordedProcess): boolean {
  return identityOf(recorded.pid) === recorded.identity;
}

/** Sends a signal to a process, or with a negative pid to its group; one that is gone already is fine. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
