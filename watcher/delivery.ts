import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Digest } from '../contracts/digest.ts';
import { DIGEST_SIGNAL } from '../contracts/messages.ts';

/** Tells a workflow; `gone` if it is not there or has ended. Throws if that could not be found out. */
export type Deliver = (workflowId: string, digest: Digest) => Promise<'delivered' | 'gone'>;

const ANSWER_MS = 10_000;

/**
 * Signals by workflow id alone, so that continue-as-new loses nothing; never starts a workflow, which would raise the
 * dead. Once `signal` aborts, nothing more goes out, and what is on its way is given up.
 */
export function signalDelivery(client: Client, signal: AbortSignal): Deliver {
  return async (workflowId, digest) => {
    signal.throwIfAborted();
    // One for each call: the SDK never takes its listener off again.
    const call = new AbortController();
    const abort = () => call.abort();
    signal.addEventListener('abort', abort);
    try {
      await client.withAbortSignal(call.signal, () =>
        client.withDeadline(Date.now() + ANSWER_MS, () =>
          client.workflow.getHandle(workflowId).signal(DIGEST_SIGNAL, digest),
        ),
      );
      return 'delivered';
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return 'gone';
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  };
}
