import { HOUR_MS } from '../../domain/durations.js';
import type { Random } from './random.js';

/** So few that clients compete for them. */
const HOURS = 24;
/** How many hours ahead the first of them is when a run begins. */
export const FIRST_HOUR = 30 * 24;
/** The hours move on by a day each time this period has passed. */
const WINDOW_MS = 60_000;

export interface Slot {
  start_at: string;
  end_at: string;
}

/** The hours that a client books. They move on, so that a long run does not use them up. */
export class Hours {
  readonly #began = Date.now();

  constructor(private readonly random: Random) {}

  /** When the currently booked hours begin. */
  get #start(): number {
    const days = Math.floor((Date.now() - this.#began) / WINDOW_MS);
    return (Math.ceil(this.#began / HOUR_MS) + FIRST_HOUR + days * 24) * HOUR_MS;
  }

  /** The currently booked hours, in ISO 8601. */
  window(): { from: string; to: string } {
    const [from, to] = [0, HOURS].map((hours) => new Date(this.#start + hours * HOUR_MS).toISOString());
    return { from: from!, to: to! };
  }

  slot(): Slot {
    const start = this.#start + this.random.between(0, HOURS - 1) * HOUR_MS;
    const hours = this.random.chance(0.2) ? 2 : 1;
    return {
      start_at: new Date(start).toISOString(),
      end_at: new Date(start + hours * HOUR_MS).toISOString(),
    };
  }
}
