import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../../cluster/errors.ts';
import type { ConfigMap, Pod } from '../../../contracts/kubernetes.ts';
import { TURN_IS_OVER_MS } from '../../../queue/decide-turns.ts';
import type { JobInLane } from '../../../queue/lanes/entry-of-job.ts';
import { UnusedPlaces } from '../../../watcher/lanes/unused-places.ts';
import { JobStore } from '../../../watcher/store/job-store.ts';
import { anAnchor, aPod, READY } from '../fixtures.ts';

/** Which jobs hold a place that they do not use. */

const START = 1_767_225_600_000;
const holder: JobInLane = {
  ...{ uid: 'anchor-1', namespace: 'default', job: 'resnet', hasStarted: false },
  request: { lane: 'main', priority: 0, demand: { pods: '1' }, labels: {} },
  place: { attempt: 1, since: START, takenAt: START },
};

/** What the API server lists, where the clock is; `looks`: how often it was asked. */
function aCluster({ pods = [], more, fails }: { pods?: Pod[]; more?: string; fails?: true } = {}) {
  const world = { at: START, looks: 0 };
  const cluster = {
    now: () => world.at,
    list: async () => {
      world.looks++;
      if (fails) throw new ApiError('pods', { status: 500, reason: 'InternalError', message: 'not now' });
      return { items: pods, metadata: more ? { continue: more } : {} };
    },
  };
  const jobs = new JobStore();
  jobs.anchorsIn().changed(anAnchor() as ConfigMap, 1);
  const unused = new UnusedPlaces({ cluster: cluster as never, jobs });
  const at = async (ms: number, job: JobInLane = holder) => {
    world.at = START + ms;
    return [...(await unused.among([job]))];
  };
  return { at, jobs, world };
}

describe('a place without pods', () => {
  it('is unused after a turn, by the clock of the API server, and is looked at only then', async () => {
    const { at, world } = aCluster();
    expect([await at(0), await at(TURN_IS_OVER_MS), world.looks]).toEqual([[], [], 0]);
    expect(await at(TURN_IS_OVER_MS + 1)).toEqual(['anchor-1']);
    expect(world.looks).toBe(1);
  });

  it('is in use again as soon as a pod is seen, and has another turn once that is gone', async () => {
    const { at, jobs } = aCluster();
    await at(0);
    jobs.podsIn().changed(aPod({ status: READY }), 1);
    expect(await at(TURN_IS_OVER_MS + 1)).toEqual([]);
    jobs.podsIn().deleted(aPod({ status: READY }), 2);
    expect(await at(TURN_IS_OVER_MS + 2)).toEqual([]);
    expect(await at(2 * TURN_IS_OVER_MS + 3)).toEqual(['anchor-1']);
  });

  it.each<[string, Parameters<typeof aCluster>[0]]>([
    ['may have pods that the stream has not shown', { pods: [aPod()] }],
    ['may have some among very many', { more: 'next' }],
    ['is not known while pods cannot be listed', { fails: true }],
  ])('%s', async (_, cluster) => {
    const { at } = aCluster(cluster);
    await at(0);
    expect(await at(TURN_IS_OVER_MS + 1)).toEqual([]);
  });

  it('counts from when it was taken, and not while the job waits or its anchor is not seen', async () => {
    const { at } = aCluster();
    const later = { ...holder, place: { ...holder.place, takenAt: START + 20_000 } };
    await at(0, later);
    expect(await at(TURN_IS_OVER_MS + 1, later)).toEqual([]);
    const waits = { ...holder, place: { attempt: 1, since: START } };
    const unseen = { ...holder, uid: 'anchor-2' };
    for (const job of [waits, unseen]) {
      const other = aCluster();
      await other.at(0, job);
      expect(await other.at(TURN_IS_OVER_MS + 1, job)).toEqual([]);
    }
  });

  it('of a pod of the same name that others own is unused', async () => {
    const { at } = aCluster({ pods: [aPod({ owner: 'anchor-2' })] });
    await at(0);
    expect(await at(TURN_IS_OVER_MS + 1)).toEqual(['anchor-1']);
  });
});
