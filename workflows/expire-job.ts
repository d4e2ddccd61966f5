import type { ExpireRequest } from '../contracts/messages.ts';
import { expire } from './activity-options.ts';

/**
 * Removes what an ended job left in the cluster. The watcher starts it when the time on the anchor has come. It is a
 * workflow so that the removal is on record.
 */
export async function expireJob(anchor: ExpireRequest) {
  return expire(anchor);
}
