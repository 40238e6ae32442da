/** The longest delay a Node timer takes. */
const LONGEST_MS = 2 ** 31 - 1;

/** Timers that do not keep the process alive and end together. */
export class Timers {
  private readonly running = new Set<NodeJS.Timeout>();
  private closed = false;

  /** Runs `work` at a time in milliseconds; at once when it has passed. */
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

  /** Ends all of them. */
  close(): void {
    this.closed = true;
    for (const timer of this.running) clearTimeout(timer);
    this.running.clear();
  }
}
