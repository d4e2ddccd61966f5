/** Why a process is not ready, by part; a part that is well has no entry. */
export class Readiness {
  readonly #troubles = new Map<string, string>();
  readonly #impaired = new Map<string, string>();

  set(part: string, trouble: unknown): void {
    note(this.#troubles, part, trouble);
  }

  /** The process goes on without this part. */
  impair(part: string, trouble: unknown): void {
    note(this.#impaired, part, trouble);
  }

  why(): string | undefined {
    return listed(this.#troubles);
  }

  /** What a process that is ready has to do without. */
  impairedBy(): string | undefined {
    return listed(this.#impaired);
  }

  clear(): void {
    this.#troubles.clear();
    this.#impaired.clear();
  }
}

function note(troubles: Map<string, string>, part: string, trouble: unknown): void {
  if (trouble === undefined) troubles.delete(part);
  else troubles.set(part, trouble instanceof Error ? trouble.message : String(trouble));
}

function listed(troubles: ReadonlyMap<string, string>): string | undefined {
  const texts = [...troubles].map(([part, trouble]) => `${part}: ${trouble}`);
  return texts.length ? texts.join('; ') : undefined;
}
