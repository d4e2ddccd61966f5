import type { Gauge } from 'prom-client';

/** Labels of a series, by name. */
type SeriesLabels<Name extends string> = Readonly<Record<Name, string>>;

/** Sums by labels. */
export class Sums<Name extends string> {
  readonly #sums = new Map<string, { readonly labels: SeriesLabels<Name>; value: number }>();

  add(labels: SeriesLabels<Name>, value = 1): void {
    const key = JSON.stringify(labels);
    const sum = this.#sums.get(key);
    if (sum) sum.value += value;
    else this.#sums.set(key, { labels, value });
  }

  values(): readonly { readonly labels: SeriesLabels<Name>; readonly value: number }[] {
    return [...this.#sums.values()];
  }

  /** Series of an earlier count disappear. */
  showOn(gauge: Gauge<Name>): void {
    gauge.reset();
    for (const { labels, value } of this.#sums.values()) gauge.set(labels, value);
  }
}
