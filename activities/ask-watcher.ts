import { ANNOTATIONS, anchorNameOf } from '../contracts/labels.ts';
import { patchAnchor } from './anchors/anchor-writes.ts';
import type { Dependencies } from './support/dependencies.ts';

export interface AskWatcherRequest {
  readonly namespace: string;
  /** Of the job. */
  readonly name: string;
  readonly anchorUid: string;
  /** The job's; it must be the worker's. */
  readonly clusterId?: string;
  /** When it is asked, in epoch milliseconds; the answer repeats it. */
  readonly at: number;
}

/**
 * Asks the watcher, by a note on the anchor, to look at the job and say what it sees. Idempotent: the newest question
 * replaces the one before. Of an anchor that is gone, or another job's, the watcher tells by itself.
 */
export async function askWatcher(
  dependencies: Dependencies,
  { namespace, name, anchorUid, at }: AskWatcherRequest,
): Promise<void> {
  const anchor = { namespace, name: anchorNameOf(name), uid: anchorUid };
  await patchAnchor(dependencies, anchor, { annotations: { [ANNOTATIONS.asked]: String(at) } });
}
