import type { EvidenceSummary } from '../../contracts/evidence.ts';
import { type EvidenceRecord, evidenceRecord } from '../../contracts/evidence-record.ts';
import type { EvidenceStore } from '../../evidence/store.ts';

/** A store that made one wait for its failure is away; one that says no at once, e.g. to a read, may take a write. */
const AWAY_MS = 1_000;

/** A store as long as it answers: one that is away is not waited for again and again. */
export class Records {
  readonly #store: EvidenceStore;
  #away: Error | undefined;

  constructor(store: EvidenceStore) {
    this.#store = store;
  }

  /** What a record says; undefined where there is none, or none that can be read. */
  async find(key: string): Promise<{ summary: EvidenceSummary; failedAt: string } | undefined> {
    const text = await this.#ask(() => this.#store.find(key));
    const record = text === undefined ? undefined : parse(text);
    return (
      record && { summary: { ...record.summary, ref: this.#store.refOf(key) }, failedAt: record.failedAt }
    );
  }

  write(key: string, record: EvidenceRecord): Promise<string> {
    return this.#ask(() => this.#store.write(key, JSON.stringify(record)));
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    if (this.#away) throw this.#away;
    const asked = performance.now();
    try {
      return await question();
    } catch (cause) {
      const error = new Error(`${this.#store.place}: ${wordsOf(cause)}`, { cause });
      if (performance.now() - asked > AWAY_MS) this.#away = error;
      throw error;
    }
  }
}

function parse(text: string): EvidenceRecord | undefined {
  try {
    return evidenceRecord.parse(JSON.parse(text));
  } catch {
    return undefined; // written anew
  }
}

/** Of a refused connection there may be nothing but a code, of a refusal nothing but a name. */
function wordsOf(cause: unknown): string {
  const { name = 'Error', message, code } = cause as { name?: string; message?: string; code?: string };
  return [name === 'Error' ? '' : name, message || code].filter(Boolean).join(': ');
}
