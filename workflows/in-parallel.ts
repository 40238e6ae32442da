/**
 * Runs `work` for each item, at most `concurrency` at a time. Throws the first error, and
 * starts no more after it.
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
