import { errorMessage } from '../../contracts/error-message.ts';
/** Why a process is not ready, by part. A healthy part has no entry. */
export class Readiness {
  readonly #troubles = new Map<string, string>();
  readonly #impaired = new Map<string, string>();

  set(part: string, trouble: unknown): void {
    note(this.#troubles, part, trouble);
  }

  /** Records why the process runs without this part; undefined clears it. */
  impair(part: string, trouble: unknown): void {
    note(this.#impaired, part, trouble);
  }

  why(): string | undefined {
    return listed(this.#troubles);
  }

  /** Returns what a ready process runs without. */
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
  else troubles.set(part, errorMessage(trouble));
}

function listed(troubles: ReadonlyMap<string, string>): string | undefined {
  const texts = [...troubles].map(([part, trouble]) => `${part}: ${trouble}`);
  return texts.length ? texts.join('; ') : undefined;
}
