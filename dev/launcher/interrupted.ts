/**
 * Settles when the launcher is told to stop: Ctrl-C, a closed terminal, an orderly kill, or the death of the npm that
 * started it.
 */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
    const { npm_lifecycle_event: startedByNpm } = process.env;
    const parent = process.ppid;
    if (startedByNpm) setInterval(() => process.ppid !== parent && resolve(), 500).unref();
  });
}
