import { sleep } from '@temporalio/workflow';
import type { ExpireRequest } from '../contracts/messages.ts';
import { expire } from './activity-options.ts';

/**
 * Removes what an ended job left in the cluster, once its ttlSecondsAfterFinished are over. A workflow of its own, so that
 * the job's has ended with its outcome; its record stays.
 */
export async function expireJob({ at, ...anchor }: ExpireRequest): Promise<'expired' | 'gone'> {
  await sleep(Math.max(0, at - Date.now()), { summary: 'ttlSecondsAfterFinished' });
  return expire(anchor);
}
