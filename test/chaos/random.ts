/** Repeatable random choices. Every client and every source of faults has its own stream. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** The stream with a name, which is the same for the same seed. */
  static stream(seed: number, name: string): Random {
    let hash = 2_166_136_261 ^ seed;
    for (const character of name) hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619);
    return new Random(hash);
  }

  /** A number from 0 to 1, excluding 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** True with a probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.next() * choices.length)]!;
  }
}
