import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import pMap from 'p-map';
import { TRAINING_JOB } from '../../contracts/messages.ts';
import type { AnchorFacts } from './anchor-facts.ts';

export interface PatrolOptions {
  readonly temporal: Client;
  readonly intervalMs: number;
  readonly openAnchors: () => readonly AnchorFacts[];
  /** Looks at one job, and does what has to be done. */
  readonly look: (anchor: AnchorFacts) => Promise<unknown>;
  /** What every round does besides. */
  readonly always: () => Promise<void>;
  /** What a thorough round does besides. */
  readonly thoroughly: () => Promise<void>;
  readonly trouble: (error: unknown) => void;
}

/** The first round and each twentieth look at every job, so that nothing depends on visibility or clocks for good. */
const THOROUGH_ROUND = 20;
/** Visibility lags behind by a second or so, and the clocks may differ. */
const OVERLAP_MS = 60_000;
const LOOKS_AT_ONCE = 10;

/** Goes round the open jobs until the signal aborts, to find those whose workflow ended without clean-up. */
export async function patrol(options: PatrolOptions, signal: AbortSignal): Promise<void> {
  let from: number | undefined;
  for (let round = 0; !signal.aborted; round++) {
    const startedAt = Date.now();
    try {
      if (from === undefined || round % THOROUGH_ROUND === 0) await thoroughRound(options, signal);
      else await quickRound(options, { from: from - OVERLAP_MS, signal });
      await options.always();
      from = startedAt;
    } catch (error) {
      if (!signal.aborted) options.trouble(error);
    }
    await delay(options.intervalMs * (0.9 + Math.random() / 5), undefined, { signal }).catch(() => undefined);
  }
}

async function thoroughRound({ openAnchors, look, thoroughly }: PatrolOptions, signal: AbortSignal) {
  await lookAtAll(openAnchors(), look, signal);
  await thoroughly();
}

async function quickRound(
  { temporal, openAnchors, look }: PatrolOptions,
  { from, signal }: { readonly from: number; readonly signal: AbortSignal },
) {
  const open = openAnchors();
  if (open.length === 0) return;
  const closed = await closedSince(temporal, from).catch(() => undefined);
  const suspects = closed ? open.filter(({ workflowId }) => closed.has(workflowId)) : open;
  await lookAtAll(suspects, look, signal);
}

const lookAtAll = (anchors: readonly AnchorFacts[], look: PatrolOptions['look'], signal: AbortSignal) =>
  pMap(anchors, look, { concurrency: LOOKS_AT_ONCE, signal });

async function closedSince(temporal: Client, from: number): Promise<Set<string>> {
  const query = [
    `WorkflowType = '${TRAINING_JOB}'`,
    `ExecutionStatus IN ('Completed', 'Failed', 'Canceled', 'Terminated', 'TimedOut')`,
    `CloseTime > '${new Date(from).toISOString()}'`,
  ].join(' AND ');
  const ids = new Set<string>();
  for await (const { workflowId } of temporal.workflow.list({ query, pageSize: 500 })) ids.add(workflowId);
  return ids;
}
