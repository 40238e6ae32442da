import type { Backoff } from './backoff.js';

/** How many pieces of work run together. */
const CONCURRENCY = 8;

/**
 * Runs work by key, one piece for a key at a time and a few keys together. A key that fails is tried again
 * after a pause, and one that takes long keeps a single place: neither holds up the others.
 */
export class KeyedQueue {
  private readonly running = new Map<string, Promise<void>>();

  constructor(private readonly backoff: Backoff) {}

  /** The keys whose work runs, or failed a moment ago. */
  get taken(): string[] {
    return [...this.running.keys(), ...this.backoff.paused];
  }

  /** Begins the work of a key as soon as there is a place, unless it runs or failed a moment ago. */
  async begin(key: string, work: () => Promise<void>): Promise<void> {
    if (this.running.has(key) || this.backoff.isPaused(key)) return;
    while (this.running.size >= CONCURRENCY) await Promise.race(this.running.values());
    const done = this.backoff.attempt(key, work).then(() => void this.running.delete(key));
    this.running.set(key, done);
  }

  /** Resolves when no work runs. */
  async settled(): Promise<void> {
    await Promise.all(this.running.values());
  }
}
