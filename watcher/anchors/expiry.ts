import type { Client } from '@temporalio/client';
import { pause } from '../../contracts/back-off.ts';
import { EXPIRE_JOB, type ExpireRequest } from '../../contracts/messages.ts';
import type { AnchorFacts } from './anchor-facts.ts';

export interface ExpiryOptions {
  readonly temporal: Client;
  readonly taskQueue: string;
  readonly clusterId?: string;
  readonly intervalMs: number;
  /** Returns the anchors of ended jobs whose time to live has passed. */
  readonly expired: (now: number) => readonly AnchorFacts[];
  readonly onError: (error: unknown) => void;
}

/** Maximum number of workflows started per round, for clusters with years of ended jobs. */
const MOST_AT_ONCE = 100;

/**
 * Starts a workflow for each expired job that deletes its remains, until the signal aborts. The anchor alone stores
 * when a job expires, so that no workflow has to stay open until then.
 */
export async function expireJobs(tools: ExpiryOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      for (const anchor of tools.expired(Date.now()).slice(0, MOST_AT_ONCE)) {
        if (!signal.aborted) await startExpiry(tools, anchor);
      }
    } catch (error) {
      if (!signal.aborted) tools.onError(error);
    }
    await pause(tools.intervalMs, signal);
  }
}

/** Idempotent by the workflow id: a running expiry is used as it is. */
async function startExpiry(
  { temporal, taskQueue, clusterId }: ExpiryOptions,
  { namespace, name, uid, job }: AnchorFacts,
): Promise<void> {
  const request: ExpireRequest = { namespace, anchorName: name, anchorUid: uid, clusterId };
  await temporal.workflow.start(EXPIRE_JOB, {
    workflowId: `expire/${namespace}/${job?.name ?? name}/${uid}`,
    taskQueue,
    args: [request],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
}
