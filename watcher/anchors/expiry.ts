import type { Client } from '@temporalio/client';
import { pause } from '../../cluster/back-off.ts';
import { EXPIRE_JOB, type ExpireRequest } from '../../contracts/messages.ts';
import type { AnchorFacts } from './anchor-facts.ts';

export interface ExpiryOptions {
  readonly temporal: Client;
  readonly taskQueue: string;
  readonly clusterId?: string;
  readonly intervalMs: number;
  /** Of jobs that have ended, and whose time is over. */
  readonly expired: (now: number) => readonly AnchorFacts[];
  readonly onError: (error: unknown) => void;
}

/** Begun in one round at most: a cluster that has gathered jobs for years must not begin with all of them at once. */
const MOST_AT_ONCE = 100;

/**
 * Has what is left of ended jobs removed when its time has come, until the signal aborts. Workers delete; who waits until
 * then is the anchor alone, so that no workflow has to stay open for it.
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

/** Idempotent by the workflow id: one that runs is left to it. */
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
