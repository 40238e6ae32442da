/** The longest delay of a Node timer. */
const LONGEST_MS = 2 ** 31 - 1;

/** Timers that do not keep the process alive and can be cleared together. */
export class Timers {
  private readonly running = new Set<NodeJS.Timeout>();
  private closed = false;

  /** Runs `work` at a time in Unix milliseconds, or as soon as possible if it has passed. */
  at(time: number, work: () => void): void {
    if (this.closed) return;
    const delay = Math.min(Math.max(0, time - Date.now()), LONGEST_MS);
    const timer = setTimeout(() => {
      this.running.delete(timer);
      work();
    }, delay);
    timer.unref();
    this.running.add(timer);
  }

  /** Clears all timers. */
  close(): void {
    this.closed = true;
    for (const timer of this.running) clearTimeout(timer);
    this.running.clear();
  }
}
