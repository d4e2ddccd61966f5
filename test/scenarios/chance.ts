/** Choices that look random and that a seed repeats. Whoever acts beside others draws from a fork of its own. */
export class Chance {
  readonly #seed: number;
  #state: number;

  constructor(seed: number) {
    this.#seed = seed >>> 0;
    this.#state = this.#seed;
  }

  fork(name: string): Chance {
    let seed = this.#seed;
    for (const character of name) seed = Math.imul(seed ^ character.codePointAt(0)!, 0x01000193) >>> 0;
    return new Chance(seed);
  }

  /** Both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.#fraction() * (most - least + 1));
  }

  pick<T>(choices: readonly [T, ...T[]]): T;
  pick<T>(choices: readonly T[]): T | undefined;
  pick<T>(choices: readonly T[]): T | undefined {
    return choices[this.between(0, choices.length - 1)];
  }

  /** One of the names; each as often as its number says in relation to the others'. */
  weighed<T extends string>(weights: Readonly<Record<T, number>>): T {
    const entries = Object.entries(weights) as [T, number][];
    let left = this.#fraction() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    return entries[0]![0];
  }

  /** Mulberry32, by Tommy Ettinger (public domain). */
  #fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
