/** A thread's CPU time, which the types for this version of Node lack. */
const { threadCpuUsage } = process as unknown as { threadCpuUsage(): NodeJS.CpuUsage };

/** The CPU time of this thread, in ms. Other processes do not count. The kernel updates it every 4 ms. */
const cpu = (): number => {
  const { user, system } = threadCpuUsage();
  return (user + system) / 1_000;
};

/** The work that blocks are compared with: a long list is written to and read from JSON. */
const LIST = JSON.stringify(
  Array.from({ length: 400 }, (_, n) => ({
    id: `room_${n}`,
    name: `Room ${n} é"<`,
    price: { amount_minor: n * 7, currency: 'GBP' },
    days: ['mon', 'tue'],
    at: null,
  })),
);
const TIMES = 50;
/** What it takes on two busy cores, like the times in docs/internals/costs.md. */
const USUAL_MS = 40;

/**
 * How much more CPU time than normal this thread needs for the same work: 2 if the machine is half as fast. A
 * core is also slower while others are busy.
 */
export function slowness(): number {
  const before = cpu();
  for (let n = 0; n < TIMES; n++) JSON.stringify(JSON.parse(LIST));
  return (cpu() - before) / USUAL_MS;
}

/** A block of up to this many ms is short on any machine. */
const SHORT_MS = 40;

/**
 * The longest time that nothing else got a turn in this process's event loop, in ms of CPU at normal speed.
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
      return longest < SHORT_MS ? longest : longest / slowness();
    },
  };
}

/**
 * The longest block of `work`, in ms of CPU at normal speed: the shortest of several tries, since garbage is
 * collected at any time.
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
