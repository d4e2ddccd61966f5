/** Why a process is not ready, by part; a part that is well has no entry. */
export class Readiness {
  readonly #troubles = new Map<string, string>();

  set(part: string, trouble: unknown): void {
    if (trouble === undefined) this.#troubles.delete(part);
    else this.#troubles.set(part, trouble instanceof Error ? trouble.message : String(trouble));
  }

  why(): string | undefined {
    const troubles = [...this.#troubles].map(([part, trouble]) => `${part}: ${trouble}`);
    return troubles.length ? troubles.join('; ') : undefined;
  }

  clear(): void {
    this.#troubles.clear();
  }
}
