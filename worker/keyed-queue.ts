import type { Backoff } from './backoff.js';

/** How much work runs at the same time. */
const CONCURRENCY = 8;

/**
 * Runs work by key: one piece per key, and several keys at a time. A key that fails is retried after a pause,
 * and one that takes long occupies a single place, so neither delays the others.
 */
export class KeyedQueue {
  private readonly running = new Map<string, Promise<void>>();

  constructor(private readonly backoff: Backoff) {}

  /** The keys whose work is running, or failed a moment ago. */
  get taken(): string[] {
    return [...this.running.keys(), ...this.backoff.paused];
  }

  /**
   * Starts the work of a key as soon as there is a free place, unless it is running or failed a moment ago.
   */
  async begin(key: string, work: () => Promise<void>): Promise<void> {
    if (this.running.has(key) || this.backoff.isPaused(key)) return;
    while (this.running.size >= CONCURRENCY) await Promise.race(this.running.values());
    const done = this.backoff.attempt(key, work).then(() => void this.running.delete(key));
    this.running.set(key, done);
  }

  /** Resolves when no work is running. */
  async settled(): Promise<void> {
    await Promise.all(this.running.values());
  }
}
