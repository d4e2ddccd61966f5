import { HEALTH_SOURCES, type HealthRow, type HealthSource } from '../../contracts/health-sources.ts';

/** A row, with who writes it. */
export type SourcedRow = HealthRow & { readonly source: string };

/** A fact of a Node, as a row describes it. */
export interface NodeFact extends Pick<HealthRow, 'kind' | 'key'> {
  /** The status of a condition; of others the value. */
  readonly value: string;
  readonly reason?: string;
}

/** Finds the row that a fact of a Node matches. Nodes are many, and each has dozens of facts. */
export class HealthTable {
  readonly #exact = new Map<string, SourcedRow[]>();
  readonly #patterns: { readonly row: SourcedRow; readonly key: RegExp }[] = [];

  constructor(sources: readonly HealthSource[] = HEALTH_SOURCES) {
    for (const { name, rows } of sources) for (const row of rows) this.#add({ ...row, source: name });
  }

  /** Returns the first row that the fact matches, and undefined if that means nothing. */
  find(fact: NodeFact): SourcedRow | undefined {
    const exact = this.#exact.get(placeOf(fact))?.find((row) => matches(row, fact));
    const row =
      exact ??
      this.#patterns.find(
        ({ row: one, key }) => one.kind === fact.kind && key.test(fact.key) && matches(one, fact),
      )?.row;
    return row?.means === 'nothing' ? undefined : row;
  }

  #add(row: SourcedRow): void {
    if (row.key.includes('*')) {
      this.#patterns.push({ row, key: patternOf(row.key) });
      return;
    }
    const place = placeOf(row);
    this.#exact.set(place, [...(this.#exact.get(place) ?? []), row]);
  }
}

const placeOf = ({ kind, key }: Pick<HealthRow, 'kind' | 'key'>) => `${kind} ${key}`;

const matches = ({ is, reason }: HealthRow, fact: NodeFact): boolean =>
  (is === undefined || is.includes(fact.value)) &&
  (reason === undefined || patternOf(reason).test(fact.reason ?? ''));

const patternOf = (text: string): RegExp => {
  const known = PATTERNS.get(text);
  if (known) return known;
  const parts = text.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('.*')}$`);
  PATTERNS.set(text, pattern);
  return pattern;
};

/** Made once: they are those of the table. */
const PATTERNS = new Map<string, RegExp>();
