import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Digest } from '../../contracts/digest.ts';
import { anchorNameOf, workflowIdOf } from '../../contracts/labels.ts';
import { DIGEST_SIGNAL, MEMO, TRAINING_JOB } from '../../contracts/messages.ts';
import type { AnchorFacts } from '../anchors/anchor-facts.ts';

/**
 * Tells an anchor's workflow; `gone` if it is not there, has ended, or is another job's. Throws if that could not be
 * found out.
 */
export type SendDigest = (anchor: AnchorFacts, digest: Digest) => Promise<'delivered' | 'gone'>;

/** The workflow is being admitted, and has not said yet which anchor is its own: it can be told a moment later. */
export class UnconfirmedError extends Error {
  override readonly name = 'UnconfirmedError';
}

const ANSWER_MS = 10_000;

/**
 * Signals by workflow id alone, so that continue-as-new loses nothing; never starts a workflow, which would raise the
 * dead. Once `signal` aborts, nothing more goes out, and what is on its way is given up.
 */
export function signalWorkflow(client: Client, signal: AbortSignal): SendDigest {
  const confirmed = new Set<string>();

  async function deliver(anchor: AnchorFacts, digest: Digest): Promise<'delivered' | 'gone'> {
    const workflow = client.workflow.getHandle(anchor.workflowId);
    if (!hasOwnId(anchor) && !confirmed.has(anchor.uid)) {
      if (!(await isOwnWorkflow(workflow, anchor))) return 'gone';
      confirmed.add(anchor.uid);
    }
    await workflow.signal(DIGEST_SIGNAL, digest);
    return 'delivered';
  }

  return async (anchor, digest) => {
    signal.throwIfAborted();
    // One for each call: the SDK never takes its listener off again.
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

/** An id that only this job can have: nobody can write an anchor of this name, and mean another namespace's job. */
const hasOwnId = ({ namespace, name, workflowId }: AnchorFacts) => {
  const job = name.slice(0, -anchorNameOf('').length);
  return anchorNameOf(job) === name && workflowIdOf({ namespace, name: job }) === workflowId;
};

/** Any other id may be somebody else's: whoever may write an anchor must not have other teams' workflows spoken to. */
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
