/**
 * Resolves on SIGINT, SIGTERM or SIGHUP, or when the npm process that started the launcher has ended.
 */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
    const { npm_lifecycle_event: startedByNpm } = process.env;
    const parent = process.ppid;
    if (startedByNpm) setInterval(() => process.ppid !== parent && resolve(), 500).unref();
  });
}
