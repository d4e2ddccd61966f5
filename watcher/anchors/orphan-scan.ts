import type { Client } from '@temporalio/client';
import pMap from 'p-map';
import { pause } from '../../contracts/back-off.ts';
import { TRAINING_JOB } from '../../contracts/messages.ts';
import { listWorkflows } from '../../temporal/list-workflows.ts';
import type { AnchorFacts } from './anchor-facts.ts';

export interface OrphanScanOptions {
  readonly temporal: Client;
  readonly intervalMs: number;
  readonly openAnchors: () => readonly AnchorFacts[];
  /** Checks one job, and starts a sweep if it needs one. */
  readonly reconcile: (anchor: AnchorFacts) => Promise<unknown>;
  /** Called at the end of every round. */
  readonly everyRound: () => Promise<void>;
  /** Called in every full round. */
  readonly everyFullRound: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** The first round and every twentieth check all jobs, so that nothing relies on visibility or clocks forever. */
const FULL_ROUND_EVERY = 20;
/** Visibility lags by about a second, and clocks may differ. */
const OVERLAP_MS = 60_000;
const CONCURRENCY = 10;

/** Checks the open jobs in rounds until the signal aborts, to find those whose workflow ended without clean-up. */
export async function scanForOrphans(options: OrphanScanOptions, signal: AbortSignal): Promise<void> {
  let from: number | undefined;
  for (let round = 0; !signal.aborted; round++) {
    const startedAt = Date.now();
    try {
      if (from === undefined || round % FULL_ROUND_EVERY === 0) await fullRound(options, signal);
      else await quickRound(options, { from: from - OVERLAP_MS, signal });
      await options.everyRound();
      from = startedAt;
    } catch (error) {
      if (!signal.aborted) options.onError(error);
    }
    await pause(options.intervalMs * (0.9 + Math.random() / 5), signal);
  }
}

async function fullRound({ openAnchors, reconcile, everyFullRound }: OrphanScanOptions, signal: AbortSignal) {
  await reconcileAll(openAnchors(), reconcile, signal);
  await everyFullRound();
}

async function quickRound(
  { temporal, openAnchors, reconcile }: OrphanScanOptions,
  { from, signal }: { readonly from: number; readonly signal: AbortSignal },
) {
  const open = openAnchors();
  if (open.length === 0) return;
  const closed = await closedSince(temporal, from).catch(() => undefined);
  const suspects = closed ? open.filter(({ workflowId }) => closed.has(workflowId)) : open;
  await reconcileAll(suspects, reconcile, signal);
}

const reconcileAll = (
  anchors: readonly AnchorFacts[],
  look: OrphanScanOptions['reconcile'],
  signal: AbortSignal,
) => pMap(anchors, look, { concurrency: CONCURRENCY, signal });

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
