import type { LedgerEntry } from '../../contracts/types.ts';
import type { ArchiveIdentity } from '../../record/archive/archive-keys.ts';
import { type WrittenHistory, writeHistory } from '../../record/archive/archive-writer.ts';
import { gzippedHistory } from '../../record/archive/gz-history.ts';
import { createSourceReader, type RecordedSource } from '../../record/compare/recorded-source.ts';
import { createSupplement, endsOf } from '../../record/ledger/whole-ledger.ts';
import { decodePayloads } from '../../temporal/payloads.ts';
import type { RunHistory } from '../../temporal/run-chain.ts';
import type { ArchiverDependencies } from './archiver-dependencies.ts';
import type { ChainRun, JobChain } from './job-chain.ts';
import type { ReadableParts } from './readable-parts.ts';

type Dependencies = Pick<ArchiverDependencies, 'temporal' | 'store'>;

interface ReadableChain {
  readonly chain: JobChain;
  readonly parts: ReadableParts;
}

/** Takes down what is archived of a job's histories while they are replayed, run by run: one at a time is in memory. */
export class ChainRecord {
  readonly chain: JobChain;
  readonly parts: ReadableParts;
  /** In the archive's folder already. */
  readonly histories: WrittenHistory[] = [];
  readonly #dependencies: Dependencies;
  readonly #identity: ArchiveIdentity;
  readonly #supplement: ReturnType<typeof createSupplement>;
  readonly #source: ReturnType<typeof createSourceReader>;
  #firstRun: RunHistory = {};
  #failure: { readonly error: unknown } | undefined;

  constructor(dependencies: Dependencies, identity: ArchiveIdentity, { chain, parts }: ReadableChain) {
    const { temporal } = dependencies;
    this.chain = chain;
    this.parts = parts;
    this.#dependencies = dependencies;
    this.#identity = identity;
    this.#supplement = createSupplement(temporal);
    this.#source = createSourceReader((payloads) =>
      decodePayloads(temporal.options.loadedDataConverter, payloads),
    );
  }

  get firstRunId(): string {
    return this.#identity.firstRunId;
  }

  /** The first run that there is, without most of its events. */
  get firstRun(): RunHistory {
    return this.#firstRun;
  }

  get source(): RecordedSource {
    return this.#source.source();
  }

  /** Yields the histories. A fault ends them, and is thrown by `check`: it must not end the replay of other jobs. */
  async *read(): AsyncGenerator<RunHistory> {
    try {
      for (const run of this.chain.runs) {
        const history = await run.load();
        await this.#take(run, history);
        yield history;
      }
    } catch (error) {
      this.#failure = { error };
    }
  }

  /** Throws what kept the histories from being read. */
  check(): void {
    if (this.#failure) throw this.#failure.error;
  }

  /** Returns the whole ledger, given what the replay returned. */
  ledger(derived: readonly LedgerEntry[]): LedgerEntry[] {
    return this.#supplement.addTo(derived);
  }

  async #take({ runId }: ChainRun, history: RunHistory): Promise<void> {
    const { store } = this.#dependencies;
    const number = this.histories.length + 1;
    if (number === 1) this.#firstRun = endsOf(history);
    const { parts } = this;
    await parts.orElse('who asked', undefined, () => this.#supplement.read(history));
    await parts.orElse('the manifest and its revisions', undefined, () => this.#source.read(history));
    const zipped = {
      number,
      runId,
      events: history.events?.length ?? 0,
      bytes: await gzippedHistory(history),
    };
    this.histories.push(await writeHistory(store, this.#identity, zipped));
  }
}
