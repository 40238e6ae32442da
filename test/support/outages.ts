import { readDevJson, until } from './stack.js';

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
