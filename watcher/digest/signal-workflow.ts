import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Digest } from '../../contracts/digest.ts';
import { anchorNameOf, workflowIdOf } from '../../contracts/labels.ts';
import { DIGEST_SIGNAL, MEMO, TRAINING_JOB } from '../../contracts/messages.ts';
import { ANSWER_MS } from '../../contracts/timing.ts';
import type { AnchorFacts } from '../anchors/anchor-facts.ts';

/**
 * Signals an anchor's workflow. Returns `gone` if the workflow does not exist, has ended, or belongs to another job.
 * Throws if that cannot be determined.
 */
export type SendDigest = (anchor: AnchorFacts, digest: Digest) => Promise<'delivered' | 'gone'>;

/** The workflow has just started and has not recorded its anchor yet. A retry a moment later succeeds. */
export class UnconfirmedError extends Error {
  override readonly name = 'UnconfirmedError';
}

/**
 * Returns a sender of digests. It signals by workflow id alone, so that continue-as-new loses nothing, and never starts
 * a workflow, which would revive an ended job. Once `signal` aborts, it sends nothing more and cancels calls in flight.
 */
export function signalWorkflow(client: Client, signal: AbortSignal): SendDigest {
  /** Anchors with their workflows. */
  const confirmed = new Set<string>();

  async function deliver(anchor: AnchorFacts, digest: Digest): Promise<'delivered' | 'gone'> {
    const workflow = client.workflow.getHandle(anchor.workflowId);
    const claim = `${anchor.uid} ${anchor.workflowId}`;
    if (!hasOwnId(anchor) && !confirmed.has(claim)) {
      if (!(await isOwnWorkflow(workflow, anchor))) return 'gone';
      confirmed.add(claim);
    }
    await workflow.signal(DIGEST_SIGNAL, digest);
    return 'delivered';
  }

  return async (anchor, digest) => {
    signal.throwIfAborted();
    // One controller per call: the SDK never removes its abort listener.
    const call = new AbortController();
    const abort = () => call.abort();
    signal.addEventListener('abort', abort);
    try {
      return await client.withAbortSignal(call.signal, () =>
        client.withDeadline(Date.now() + ANSWER_MS, () => deliver(anchor, digest)),
      );
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return 'gone';
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  };
}

/** Whether only this job can have the workflow id: no anchor with this name can refer to a job in another namespace. */
const hasOwnId = ({ namespace, name, workflowId }: AnchorFacts) => {
  const job = name.slice(0, -anchorNameOf('').length);
  return anchorNameOf(job) === name && workflowIdOf({ namespace, name: job }) === workflowId;
};

/** Checks any other id: a user who can write an anchor must not reach other teams' workflows. */
async function isOwnWorkflow(
  workflow: ReturnType<Client['workflow']['getHandle']>,
  { uid }: AnchorFacts,
): Promise<boolean> {
  const { type, memo } = await workflow.describe();
  if (type !== TRAINING_JOB) return false;
  const own = memo?.[MEMO.anchorUid];
  if (own === undefined) throw new UnconfirmedError(`workflow ${workflow.workflowId} has no anchor yet`);
  return own === uid;
}
