const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;

/**
 * The pauses after failures, separately for each key: a second at first, then twice as long each time, at
 * most 10 s.
 */
export class Backoff {
  private readonly failing = new Map<string, { until: number; pauseMs: number }>();
  private errors: unknown[] = [];

  constructor(private readonly now: () => number = Date.now) {}

  isPaused(key: string): boolean {
    return (this.failing.get(key)?.until ?? 0) > this.now();
  }

  /** The keys that failed a moment ago. */
  get paused(): string[] {
    return [...this.failing.keys()].filter((key) => this.isPaused(key));
  }

  /** Runs `work` unless it failed a moment ago. Never throws: an error is kept for `takeErrors`. */
  async attempt(key: string, work: () => Promise<void>): Promise<void> {
    if (this.isPaused(key)) return;
    try {
      await work();
      this.failing.delete(key);
    } catch (error) {
      this.errors.push(error);
      const last = this.failing.get(key)?.pauseMs ?? SHORTEST_PAUSE_MS / 2;
      const pauseMs = Math.min(last * 2, LONGEST_PAUSE_MS);
      this.failing.set(key, { until: this.now() + pauseMs, pauseMs });
    }
  }

  /** Returns the errors since the last call. */
  takeErrors(): unknown[] {
    const { errors } = this;
    this.errors = [];
    return errors;
  }
}
