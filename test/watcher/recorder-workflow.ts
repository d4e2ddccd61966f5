import { condition, defineQuery, defineSignal, setHandler, upsertMemo } from '@temporalio/workflow';
import type { Digest } from '../../contracts/digest.ts';
import type { OrphanRequest } from '../../contracts/messages.ts';

export const digestSignal = defineSignal<[Digest]>('digest');
export const finishSignal = defineSignal('finish');
export const digestsQuery = defineQuery<Digest[]>('digests');

/** Stands for the real workflow: it writes down what it hears. */
export async function trainingJob(anchorUid?: string, clusterId?: string): Promise<void> {
  const received: Digest[] = [];
  let finished = false;
  setHandler(digestsQuery, () => received);
  setHandler(digestSignal, (digest) => {
    received.push(digest);
  });
  setHandler(finishSignal, () => {
    finished = true;
  });
  if (anchorUid) upsertMemo({ anchorUid, clusterId });
  await condition(() => finished);
}

/** Stands for the real clean-up. */
export async function cleanUpOrphan(request: OrphanRequest): Promise<OrphanRequest> {
  return request;
}
