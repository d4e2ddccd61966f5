/** The least recently made go first. */
const MOST = 1_024;

/** Answers that are asked for again and again, each for a time. Who asks while one is found waits for the same. */
export class Remembered<T> {
  readonly #ms: (answer: T) => number;
  readonly #answers = new Map<string, { readonly until: number; readonly answer: Promise<T> }>();

  /** `ms`: for how long an answer counts. */
  constructor({ ms }: { readonly ms: (answer: T) => number }) {
    this.#ms = ms;
  }

  get(key: string, find: () => Promise<T>): Promise<T> {
    const known = this.#answers.get(key);
    if (known && known.until > Date.now()) return known.answer;
    const answer = find();
    this.#remember(key, answer, Number.POSITIVE_INFINITY);
    answer.then(
      (found) => this.#remember(key, answer, Date.now() + this.#ms(found)),
      () => this.#answers.delete(key),
    );
    return answer;
  }

  #remember(key: string, answer: Promise<T>, until: number): void {
    this.#answers.delete(key);
    this.#answers.set(key, { until, answer });
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MOST) this.#answers.delete(oldest!);
  }
}
