import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Process figures of the kernel. Linux only: empty elsewhere. */
const onLinux = process.platform === 'linux';
const msPerTick = onLinux ? 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : NaN;

/** The fields of /proc/<pid>/stat after the command name. Undefined if the process has ended. */
function readProcStat(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** CPU time of processes in ms. That of Postgres includes its backends. */
export function cpuMs(pids: Record<string, number>): Record<string, number> {
  if (!onLinux) return {};
  const stats = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => ({ pid: Number(entry), stat: readProcStat(Number(entry)) }));
  const used = Object.entries(pids).map(([name, pid]) => {
    const family = stats.filter(
      (one) => one.pid === pid || (name === 'postgres' && one.stat?.[1] === `${pid}`),
    );
    return [name, family.reduce((sum, { stat }) => sum + cpuTicks(stat), 0) * msPerTick] as const;
  });
  return Object.fromEntries(used);
}

/** Fields 14 to 17 of proc(5): user and system time of the process and of its ended children. */
const cpuTicks = (stat: string[] | undefined): number =>
  (stat?.slice(11, 15) ?? []).reduce((sum, field) => sum + Number(field), 0);

/** The resident memory of a process, in MB: now, and its peak since the start. */
export function memoryMb(pid: number): { now: number; most: number } {
  if (!onLinux) return { now: NaN, most: NaN };
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mb = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  return { now: mb('VmRSS'), most: mb('VmHWM') };
}
