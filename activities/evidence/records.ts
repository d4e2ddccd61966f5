import { evidenceRecord } from '../../contracts/schemas/evidence-record.ts';
import type { EvidenceRecord, EvidenceSummary } from '../../contracts/types.ts';
import type { EvidenceStore } from '../../evidence/store.ts';

/** A store that fails only after this time is unavailable. One that fails at once may still accept other requests. */
const AWAY_MS = 1_000;

/** Access to the store until it becomes unavailable: waits for an unavailable store only once. */
export class Records {
  readonly #store: EvidenceStore;
  #away: Error | undefined;

  constructor(store: EvidenceStore) {
    this.#store = store;
  }

  /** Returns the content of a record; undefined if there is none or it cannot be read. */
  async find(key: string): Promise<{ summary: EvidenceSummary; failedAt: string } | undefined> {
    const text = await this.#ask(() => this.#store.find(key));
    const record = text === undefined ? undefined : parseRecord(text);
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
      const error = new Error(`${this.#store.location}: ${messageOfCause(cause)}`, { cause });
      if (performance.now() - asked > AWAY_MS) this.#away = error;
      throw error;
    }
  }
}

function parseRecord(text: string): EvidenceRecord | undefined {
  try {
    return evidenceRecord.parse(JSON.parse(text));
  } catch {
    return undefined; // the record is written again
  }
}

/** A refused connection may have only a code, a refused request only a name. */
function messageOfCause(cause: unknown): string {
  const { name = 'Error', message, code } = cause as { name?: string; message?: string; code?: string };
  return [name === 'Error' ? '' : name, message || code].filter(Boolean).join(': ');
}
