import { describe, expect, it } from '@jest/globals';
import pino from 'pino';
import type { ConfigMap, Pod } from '../../../contracts/kubernetes.ts';
import type { LaneRecord } from '../../../contracts/lane-record.ts';
import { recordedJobs } from '../../../watcher/lanes/jobs-in-lanes.ts';
import { LostRecords } from '../../../watcher/lanes/lost-records.ts';
import { JobStore } from '../../../watcher/store/job-store.ts';
import { anAnchor, aPod } from '../fixtures.ts';

/** Which records have lost their anchors. */

const record: LaneRecord = {
  ...{ namespace: 'default', job: 'resnet', anchorUid: 'anchor-1' },
  request: { lane: 'main', priority: 0, demand: { pods: '1' }, labels: {} },
  place: { attempt: 1, since: 1, takenAt: 2 },
};

/** `anchorUid`: of the anchor that the API server has under the name of the job. */
function aWatcher(
  given: { anchorUid?: string; fails?: true; cleanUpFails?: true; unseen?: Pod; hasEnded?: true } = {},
) {
  const world = { at: 0, looks: 0, cleanUps: 0, ...given };
  const { hasEnded } = given;
  const jobs = new JobStore();
  const cluster = {
    now: () => world.at,
    find: async () => {
      world.looks++;
      if (world.fails) throw new Error('the API server is away');
      return world.anchorUid ? { metadata: { uid: world.anchorUid } } : undefined;
    },
    list: async () => {
      world.looks++;
      return { items: world.unseen ? [world.unseen] : [], metadata: {} };
    },
  };
  const cleanUpLost = async () => {
    world.cleanUps++;
    if (world.cleanUpFails) throw new Error('no worker');
  };
  const lost = new LostRecords({ cluster: cluster as never, cleanUpLost, log: pino({ level: 'silent' }) });
  const knownAt = async (at: number) => {
    world.at = at;
    const all = recordedJobs([hasEnded ? { ...record, hasEnded } : record], jobs);
    await lost.look(all);
    return lost.known(all).length;
  };
  return { world, jobs, knownAt };
}

describe('a record of which neither anchor nor pod is seen', () => {
  it.each([
    ['that is gone', {}],
    ['of another job now', { anchorUid: 'anchor-2' }],
  ])('counts no more if its anchor is one %s, and is cleaned up', async (_, given) => {
    const { world, knownAt } = aWatcher(given);
    expect([await knownAt(20_000), world.cleanUps]).toEqual([0, 1]);
  });

  it.each([
    ['is there', { anchorUid: 'anchor-1' }],
    ['cannot be read', { fails: true as const }],
  ])('counts while its anchor %s', async (_, given) => {
    const { world, knownAt } = aWatcher(given);
    expect([await knownAt(20_000), world.cleanUps]).toEqual([1, 0]);
  });

  it('is looked for again only after a while, also if nobody could clean it up', async () => {
    const { world, knownAt } = aWatcher({ cleanUpFails: true });
    for (const at of [20_000, 21_000, 29_999]) expect(await knownAt(at)).toBe(0);
    expect([world.looks, world.cleanUps]).toEqual([1, 1]);
    await knownAt(30_000);
    expect([world.looks, world.cleanUps]).toEqual([2, 2]);
  });

  it('counts again once its anchor is seen', async () => {
    const { world, jobs, knownAt } = aWatcher();
    expect(await knownAt(20_000)).toBe(0);
    jobs.anchorsIn().changed(anAnchor() as ConfigMap, 1);
    expect(await knownAt(40_000)).toBe(1);
    expect(world.looks).toBe(1);
  });

  it('counts while a pod of it is left', async () => {
    const { world, jobs, knownAt } = aWatcher();
    jobs.podsIn().changed(aPod(), 1);
    expect([await knownAt(20_000), world.looks]).toEqual([1, 0]);
  });
});

describe('the record of a job that has ended, and whose anchor stays', () => {
  const withPods = (given: Parameters<typeof aWatcher>[0], ...phases: Pod['status'][]) => {
    const watcher = aWatcher({ ...given, hasEnded: true, anchorUid: 'anchor-1' });
    watcher.jobs.anchorsIn().changed(anAnchor() as ConfigMap, 1);
    for (const [index, status] of phases.entries())
      watcher.jobs.podsIn().changed({ ...aPod({ name: `resnet-worker-${index}` }), status } as Pod, 1);
    return watcher;
  };

  it.each<[string, Parameters<typeof aWatcher>[0], Pod['status'][], number]>([
    ['is cleaned up once no pod is left', {}, [], 1],
    [
      'is cleaned up once all pods that are kept have ended',
      {},
      [{ phase: 'Succeeded' }, { phase: 'Failed' }],
      1,
    ],
    ['stays while a pod runs', {}, [{ phase: 'Succeeded' }, { phase: 'Running' }], 0],
    ['stays while a pod runs that the watcher has not seen', { unseen: aPod() }, [], 0],
  ])('%s', async (_, given, phases, cleanUps) => {
    const { world, knownAt } = withPods(given, ...phases);
    await knownAt(70_000);
    await knownAt(100_000);
    expect(world.cleanUps).toBe(cleanUps);
  });

  it('is cleaned up again after a minute, if that was too early', async () => {
    const { world, knownAt } = withPods({ cleanUpFails: true });
    for (const at of [70_000, 129_999, 130_000]) await knownAt(at);
    expect(world.cleanUps).toBe(2);
  });
});
