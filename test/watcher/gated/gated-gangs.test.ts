import { describe, expect, it } from '@jest/globals';
import type { Logger } from 'pino';
import type { ClusterClient } from '../../../cluster/client.ts';
import { ApiError } from '../../../cluster/errors.ts';
import type { Digest } from '../../../contracts/digest.ts';
import type { Pod } from '../../../contracts/kubernetes.ts';
import { decideOnGatedGangs } from '../../../watcher/gated/gated-gangs.ts';
import { JobStore } from '../../../watcher/store/job-store.ts';
import { eventually } from '../../eventually.ts';
import { nodes } from '../../explain/situations.ts';
import { aGang } from '../../queue/gated-pods.ts';
import { anAnchor } from '../fixtures.ts';

const LOG = { warn: () => undefined } as unknown as Logger;

/** A watcher that has listed one job with these pods, and what the cluster answers it. */
function watching(pods: readonly Pod[], cluster: Pick<ClusterClient, 'list'>, { isAnswered = true } = {}) {
  const jobs = new JobStore();
  const anchor = anAnchor({ job: 'a' });
  jobs
    .anchorsIn()
    .replaced([{ ...anchor, metadata: { ...anchor.metadata, namespace: 'ml', uid: 'anchor-a' } }], 1);
  jobs.podsIn().replaced(pods, 1);
  for (const job of jobs.jobs) job.delivery.isKnown = isAnswered;
  const urgencies: string[] = [];
  jobs.on('changed', (_, urgency) => urgencies.push(urgency));
  const closing = new AbortController();
  const client = { ...cluster, now: () => Date.now() } as ClusterClient;
  const done = decideOnGatedGangs({ cluster: client, jobs, log: LOG }, closing.signal);
  const gang = (): Digest['gang'] => {
    const [job] = [...jobs.jobs];
    return job?.anchor && jobs.digestOf(job, job.anchor).gang;
  };
  const stop = async () => {
    closing.abort();
    await done;
  };
  return { gang, urgencies, stop };
}

const clusterOf = (pods: readonly Pod[], gpus = 8): Pick<ClusterClient, 'list'> => ({
  list: async ({ kind }: { kind: string }) =>
    ({ items: kind === 'Node' ? nodes(1, { gpus }) : pods, metadata: { resourceVersion: '1' } }) as never,
});

describe('a watcher with a gated gang', () => {
  it('tells the job of its place at once, and gives no turn that an earlier leader may have given', async () => {
    const pods = aGang('a', 2);
    const watcher = watching(pods, clusterOf(pods));
    const gang = await eventually('it has decided', async () => watcher.gang());
    expect(gang).toEqual({
      ...{ scheduled: 'False', reason: 'WaitingForRoom' },
      message: 'there is room for it; this watcher has just taken over; it is the first in the order',
    });
    expect(watcher.urgencies).toEqual(['soon']);
    await watcher.stop();
  });

  it('does not count pods of an anchor for which no workflow answers, and says so', async () => {
    const pods = aGang('a', 2);
    const watcher = watching(pods, clusterOf(pods), { isAnswered: false });
    const gang = await eventually('it has decided', async () => watcher.gang());
    expect(gang).toMatchObject({ message: 'its workflow has not answered the watcher yet' });
    await watcher.stop();
  });

  it('says that it may not read nodes or pods, and gives no turn', async () => {
    const list = async () => {
      throw new ApiError('GET /api/v1/nodes', {
        status: 403,
        reason: 'Forbidden',
        message: 'nodes is forbidden',
      });
    };
    const watcher = watching(aGang('a', 2), { list });
    const gang = await eventually('it has decided', async () => watcher.gang());
    expect(gang).toMatchObject({
      reason: 'NotChecked',
      message: expect.stringContaining('the watcher may not list the nodes and pods of the whole cluster'),
    });
    expect(gang).not.toHaveProperty('lift');
    await watcher.stop();
  });
});
