/**
 * Runs `work` for each item, at most `concurrency` at a time. After the first error, starts no more and
 * throws it.
 */
export async function inParallel<T>(
  items: T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}
