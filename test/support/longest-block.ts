/** A thread's CPU time; the types of this version of Node do not have it. */
const { threadCpuUsage } = process as unknown as { threadCpuUsage(): NodeJS.CpuUsage };

/** The CPU time of this thread, in ms. Other processes do not count, however busy the machine is. */
const cpu = (): number => {
  const { user, system } = threadCpuUsage();
  return (user + system) / 1_000;
};

/**
 * The longest time, in ms of CPU, that nothing else got a turn in this process's event loop.
 * Measured until `read` is called.
 */
export function watchEventLoop(): { read(): number } {
  let longest = 0;
  let before = cpu();
  const turn = (): void => {
    const now = cpu();
    longest = Math.max(longest, now - before);
    before = now;
  };
  const timer = setInterval(turn, 1);
  return {
    read() {
      turn();
      clearInterval(timer);
      return longest;
    },
  };
}

/**
 * The longest block of `work`, in ms of CPU: the least of several tries, since garbage
 * is collected at any time.
 */
export async function longestBlock(work: () => Promise<unknown>, tries = 3): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; attempt < tries; attempt++) {
    const watch = watchEventLoop();
    await work();
    least = Math.min(least, watch.read());
  }
  return least;
}
