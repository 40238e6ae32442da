const SHORTEST_PAUSE_MS = 30;
const LONGEST_PAUSE_MS = 500;

type Seen<T> = Exclude<NonNullable<T>, false | '' | 0>;

/**
 * Polls until `look` returns something truthy. The interval grows with the time waited. A worker
 * that was killed repeats its attempt after up to a minute, and a step that fails pauses for as long as it
 * has failed, up to 5 minutes: `withinMs` only bounds how long a failure takes.
 */
export async function until<T>(look: () => T | Promise<T>, withinMs = 300_000): Promise<Seen<T>> {
  const began = Date.now();
  for (;;) {
    const seen = await look();
    if (seen) return seen as Seen<T>;
    const waited = Date.now() - began;
    if (waited > withinMs)
      throw new Error(`not so within ${withinMs} ms: ${look.toString()}; last seen ${seen}`);
    const pause = Math.min(Math.max(waited / 5, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
