/** How often what was done: faults by kind. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(kind: string | undefined): void {
    if (kind !== undefined) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** In the order of their names, which begin with what they are about. */
  get byKind(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  toString(): string {
    const rows = [...Object.entries(this.byKind), ['all', this.total] as const];
    return rows.map(([kind, count]) => `${String(count).padStart(7)}  ${kind}`).join('\n');
  }
}
