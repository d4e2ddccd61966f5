import type { Client } from '@temporalio/client';
import { EXPIRE_JOB, type ExpireRequest } from '../../contracts/messages.ts';
import { pause } from '../../language/timers.ts';
import type { AnchorFacts } from './anchor-facts.ts';
import { PausedItems } from './paused-items.ts';
import { type FailedItem, type Trying, tryEach } from './try-each.ts';

interface ExpiryOptions extends Pick<Trying, 'confirmServers'> {
  readonly temporal: Client;
  readonly taskQueue: string;
  readonly clusterId?: string;
  readonly intervalMs: number;
  readonly endedAnchors: () => readonly AnchorFacts[];
  /** Called in each round in which something failed: `anchor` is the first job concerned, if it is about jobs. */
  readonly onError: (error: unknown, anchor?: AnchorFacts) => void;
}

/** Maximum number of workflows started per round, for clusters with years of ended jobs. */
const MOST_AT_ONCE = 100;
/** How long a job is left alone whose expiry was started or could not be: others have their turn first. */
const LEFT_ALONE = { firstMs: 60_000, mostMs: 3_600_000 };

/**
 * Starts a workflow for each expired job that deletes its remains, until the signal aborts. The anchor alone stores
 * when a job expires, so that no workflow has to stay open until then.
 */
export async function expireJobs(tools: ExpiryOptions, signal: AbortSignal): Promise<void> {
  const started = new PausedItems(LEFT_ALONE);
  while (!signal.aborted) {
    try {
      const [first] = await expireSome(tools, started, signal);
      if (first) tools.onError(first.error, first.item);
    } catch (error) {
      if (!signal.aborted) tools.onError(error);
    }
    await pause(tools.intervalMs, signal);
  }
}

async function expireSome(
  tools: ExpiryOptions,
  started: PausedItems,
  signal: AbortSignal,
): Promise<readonly FailedItem<AnchorFacts>[]> {
  const now = Date.now();
  // The time to live of these has passed.
  const expired = tools.endedAnchors().filter(({ expiresAt = Infinity }) => expiresAt <= now);
  started.keepOnly(expired.map(({ uid }) => uid));
  const due = expired.filter(({ uid }) => started.isDue(uid, now)).slice(0, MOST_AT_ONCE);
  const failures = await tryEach(due, (anchor) => startExpiry(tools, anchor), { ...tools, signal });
  for (const { uid } of due) started.pause(uid, now);
  return failures;
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
