import type { QueryRunner } from 'typeorm';
import { db, readDevJson } from './stack.js';
import { until } from './until.js';

/** Kills all workers. The launcher restarts them. */
export function killWorkers(): void {
  for (const pid of readDevJson().pids.worker) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // A concurrent test has killed it.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** Kills all workers and waits until the launcher has restarted them. */
export async function replaceWorkers(): Promise<void> {
  const { worker } = readDevJson().pids;
  killWorkers();
  await until(async () => {
    const now = readDevJson().pids.worker;
    return now.length === worker.length && now.every((pid) => !worker.includes(pid));
  });
}

/** The backends that wait for a lock of another one. */
export const blockedBy = async (pid: number): Promise<number[]> =>
  (await db.query(`SELECT pid FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))`, [pid])).map(
    (waiting: { pid: number }) => waiting.pid,
  );

/**
 * Waits until a transaction of `holder` blocks another connection's statement, where `statement` is a LIKE
 * pattern.
 */
export async function untilBlocked(holder: QueryRunner, statement: string): Promise<void> {
  const [{ pid }] = await holder.query(`SELECT pg_backend_pid() AS pid`);
  await until(async () => {
    const blocked = await db.query(
      `SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid)) AND query LIKE $2`,
      [pid, statement],
    );
    return blocked.length > 0;
  });
}
