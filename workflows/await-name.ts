import { ApplicationFailure, sleep } from '@temporalio/workflow';
import type { NameAwaited } from '../activities/admit.ts';
import { describeStuckPods, type StuckPod } from '../contracts/stuck-pod.ts';
import type { Cause } from '../contracts/types.ts';

/** How long the pods of an earlier job may take after their nodes should have reported that they ended. */
const NAME_WAIT_MS = 600_000;
const PAUSE_MS = { least: 1_000, most: 30_000 };

/**
 * Admits a job. Waits, and reports for which pods, while pods of an ended job with the same name exist. Gives up in the
 * end: pods of a dead node may stay for days, and a person has to decide about them.
 */
export async function admitWhenNameIsFree<T extends object>(
  admit: (waitedMs: number) => Promise<T | NameAwaited>,
  report: (cause: Cause) => void,
): Promise<T> {
  const since = Date.now();
  let dueAt = since;
  for (;;) {
    const waitedMs = Date.now() - since;
    const answer = await admit(waitedMs);
    if (!('waitsFor' in answer)) return answer;
    const { waitsFor } = answer;
    dueAt = Math.max(dueAt, ...waitsFor.map(({ until = 0 }) => until));
    if (Date.now() >= dueAt + NAME_WAIT_MS) throw nameTaken(waitsFor);
    report(waitingFor(waitsFor));
    const pause = Math.min(Math.max(waitedMs / 2, PAUSE_MS.least), PAUSE_MS.most);
    await sleep(pause, { summary: 'Until the name may be free' });
  }
}

function waitingFor(pods: readonly StuckPod[]): Cause {
  const what = pods.length > 0 ? describeStuckPods(pods) : 'its clean-up is not over';
  return {
    ...whereIs(pods),
    reason: 'PodsTerminating',
    message: `waiting for the name: an ended job still holds it; ${what}`,
  };
}

function nameTaken(pods: readonly StuckPod[]): ApplicationFailure {
  const what = pods.length > 0 ? describeStuckPods(pods) : 'its clean-up is not over';
  const message = `a job that had this name has ended, but ${what}; repair or remove the node, or check the finalizers, then submit again; or choose another name`;
  return ApplicationFailure.nonRetryable(message, 'NameTaken', whereIs(pods));
}

const whereIs = ([first]: readonly StuckPod[]) =>
  first ? { pod: first.pod, ...(first.node ? { node: first.node } : {}) } : {};
