import type { Client } from '@temporalio/client';
import { TRAINING_JOB } from '../../contracts/messages.ts';
import { pause } from '../../language/timers.ts';
import { listWorkflows } from '../../temporal/list-workflows.ts';
import type { AnchorFacts } from './anchor-facts.ts';
import { PausedItems } from './paused-items.ts';
import { type FailedItem, type Trying, tryEach } from './try-each.ts';

/** Searches of a scan. None keeps another one from running. */
const SEARCHES = ['orphans', 'latePods', 'missingAnchors'] as const;
type Search = (typeof SEARCHES)[number];

/** What a search could not do. */
interface Left {
  /** How many jobs it could not check, as far as that is known. */
  readonly jobs: number;
  /** The first new error, and the job that has it; absent if there is none. */
  readonly error?: unknown;
  readonly anchor?: NamedAnchor;
}

type NamedAnchor = Pick<AnchorFacts, 'namespace' | 'name'>;

export interface OrphanScanOptions extends Pick<Trying, 'confirmServers'> {
  readonly temporal: Client;
  readonly intervalMs: number;
  readonly openAnchors: () => readonly AnchorFacts[];
  /** Checks one job, and starts an orphan clean-up if it needs one. */
  readonly reconcile: (anchor: AnchorFacts) => Promise<unknown>;
  /** Called in every round. */
  readonly cleanUpLatePods: () => Promise<readonly FailedItem<NamedAnchor>[]>;
  /** Called in every full round. */
  readonly findMissingAnchors: () => Promise<readonly FailedItem<AnchorFacts>[]>;
  /** Called after each search. */
  readonly onSearched: (search: Search, left: Left) => void;
}

/** The first round and every twentieth check all jobs, so that nothing relies on visibility or clocks forever. */
const FULL_ROUND_EVERY = 20;
/** Visibility lags by about a second, and clocks may differ. */
const OVERLAP_MS = 60_000;
const CONCURRENCY = 10;

/**
 * Checks the open jobs in rounds until the signal aborts, to find those whose workflow ended without clean-up. A job
 * that cannot be checked is tried again with growing pauses, and keeps nothing else from being checked.
 */
export async function scanForOrphans(options: OrphanScanOptions, signal: AbortSignal): Promise<void> {
  const { intervalMs, cleanUpLatePods, findMissingAnchors, onSearched } = options;
  const orphans = new OrphanSearch(options, signal);
  /** Returns whether the search came to its end. */
  const run = async (search: Search, work: () => Promise<Left>): Promise<boolean> => {
    try {
      onSearched(search, await work());
      return true;
    } catch (error) {
      if (!signal.aborted) onSearched(search, { jobs: 1, error });
      return false;
    }
  };
  const due = { orphans: true, missingAnchors: true };
  for (let round = 1; !signal.aborted; round++) {
    const [isChecked, , isCompared] = await Promise.all([
      run('orphans', () => orphans.search({ isFull: due.orphans })),
      run('latePods', async () => leftOf(await cleanUpLatePods())),
      !due.missingAnchors || run('missingAnchors', async () => leftOf(await findMissingAnchors())),
    ]);
    const isFullNext = round % FULL_ROUND_EVERY === 0;
    due.orphans = isFullNext || (due.orphans && !isChecked);
    due.missingAnchors = isFullNext || (due.missingAnchors && !isCompared);
    await pause(intervalMs * (0.9 + Math.random() / 5), signal);
  }
}

const leftOf = (failures: readonly FailedItem<NamedAnchor>[], jobs = failures.length): Left => ({
  jobs,
  ...(failures[0] ? { error: failures[0].error, anchor: failures[0].item } : {}),
});

class OrphanSearch {
  readonly #options: OrphanScanOptions;
  readonly #signal: AbortSignal;
  /** Jobs that could not be checked, by the uid of their anchor. */
  readonly #failing: PausedItems;
  /** Until when closed workflows are known. */
  #from = 0;

  constructor(options: OrphanScanOptions, signal: AbortSignal) {
    const { intervalMs } = options;
    this.#options = options;
    this.#signal = signal;
    this.#failing = new PausedItems({ firstMs: intervalMs, mostMs: intervalMs * FULL_ROUND_EVERY });
  }

  /** Throws if the servers do not answer; the next search then looks back as far as this one. */
  async search({ isFull }: { readonly isFull: boolean }): Promise<Left> {
    const startedAt = Date.now();
    const open = this.#options.openAnchors();
    this.#failing.keepOnly(open.map(({ uid }) => uid));
    const suspects = isFull ? open : await this.#suspectsAmong(open);
    const due = suspects.filter(({ uid }) => this.#failing.isDue(uid, startedAt));
    const failures = await this.#check(due);
    this.#from = startedAt;
    return leftOf(failures, this.#failing.size);
  }

  /** All are suspects if the visibility store does not answer. */
  async #suspectsAmong(open: readonly AnchorFacts[]): Promise<readonly AnchorFacts[]> {
    if (open.length === 0) return open;
    const from = this.#from - OVERLAP_MS;
    const closed = await closedSince(this.#options.temporal, from).catch(() => undefined);
    if (!closed) return open;
    return open.filter(({ uid, workflowId }) => closed.has(workflowId) || this.#failing.has(uid));
  }

  async #check(anchors: readonly AnchorFacts[]): Promise<readonly FailedItem<AnchorFacts>[]> {
    const { reconcile, confirmServers } = this.#options;
    const check = async (anchor: AnchorFacts) => {
      await reconcile(anchor);
      this.#failing.resume(anchor.uid);
    };
    const how = { confirmServers, signal: this.#signal, concurrency: CONCURRENCY };
    const failures = await tryEach(anchors, check, how);
    for (const { item } of failures) this.#failing.pause(item.uid, Date.now());
    return failures;
  }
}

async function closedSince(temporal: Client, from: number): Promise<Set<string>> {
  const query = [
    `WorkflowType = '${TRAINING_JOB}'`,
    `ExecutionStatus IN ('Completed', 'Failed', 'Canceled', 'Terminated', 'TimedOut')`,
    `CloseTime > '${new Date(from).toISOString()}'`,
  ].join(' AND ');
  const ids = new Set<string>();
  for await (const { workflowId } of listWorkflows(temporal, { query, pageSize: 500 })) ids.add(workflowId);
  return ids;
}
