import { formatAnchorRecord } from '../contracts/anchor.ts';
import { anchorNameOf } from '../contracts/labels.ts';
import { patchAnchor } from './anchors/anchor-writes.ts';
import type { Dependencies } from './support/dependencies.ts';

export interface AskWatcherRequest {
  readonly namespace: string;
  /** The job's name. */
  readonly name: string;
  readonly anchorUid: string;
  /** The job's cluster; must be the worker's. */
  readonly clusterId?: string;
  /** When the workflow asks, in epoch milliseconds; the answer repeats it. */
  readonly at: number;
}

/**
 * Asks the watcher for a digest by an annotation on the anchor. Idempotent: the newest question replaces the previous
 * one. Ignores an anchor that is gone or belongs to another job: the watcher reports that by itself.
 */
export async function askWatcher(
  dependencies: Dependencies,
  { namespace, name, anchorUid, at }: AskWatcherRequest,
): Promise<void> {
  const anchor = { namespace, name: anchorNameOf(name), uid: anchorUid };
  await patchAnchor(dependencies, anchor, { annotations: formatAnchorRecord({ questionAt: at }) });
}
