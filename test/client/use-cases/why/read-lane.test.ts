import { describe, expect, it } from '@jest/globals';
import { pytorchJob } from '../../../../client/manifests/builders/builders.ts';
import { readLane, readLaneNow } from '../../../../client/use-cases/why/read-lane.ts';
import { renderLaneRecord } from '../../../../contracts/lane-record.ts';
import type { OwnState } from '../../../../explain/situation.ts';
import { parseManifest } from '../../../../frameworks/manifest/parse-manifest.ts';
import { list, readingOf } from './answering-cluster.ts';

/** What a job would wait for in its lane, before it is submitted. */

const GPU = 'nvidia.com/gpu';
const REFERENCE = { namespace: 'sys', name: 'lanes' };
const LANES = {
  lanes: {
    main: { capacity: { [GPU]: 8 } },
    closed: { capacity: { [GPU]: 8 }, paused: 'new drivers' },
    others: { capacity: { [GPU]: 8 }, namespaces: ['vision'] },
    faulty: { capacity: { [GPU]: 8 }, paused: true },
  },
};

const jobOf = (gpus: number, lane: object | undefined) => {
  const manifest = pytorchJob({
    ...{ name: 'train', namespace: 'ml', image: 'train:1', nodes: 1, gpusPerNode: gpus },
    ...(lane ? { policy: { lane } } : {}),
  });
  const read = parseManifest(manifest, { namespace: 'ml' });
  if ('faults' in read) throw new Error(JSON.stringify(read.faults));
  return read.job;
};

const recordOf = (name: string, gpus: number, more: object, hasEnded?: true) =>
  renderLaneRecord(
    {
      ...{ namespace: 'ml', job: name, anchorUid: name, ...(hasEnded ? { hasEnded } : {}) },
      request: {
        ...{ lane: 'main', priority: 0, labels: {}, demand: { [GPU]: String(gpus) } },
        runsForMs: 3_600_000,
      },
      place: { attempt: 1, since: 1, ...more },
    },
    REFERENCE,
  );

const CLUSTER = {
  '/api/v1/namespaces/sys/configmaps/lanes': { data: { 'lanes.yaml': JSON.stringify(LANES) } },
  '/api/v1/namespaces/sys/configmaps': list(
    recordOf('runs', 6, { takenAt: Date.now() }),
    recordOf('waits', 4, {}),
  ),
};

const waitOf = async (
  gpus: number,
  lane: object | undefined,
  reference: typeof REFERENCE | undefined = REFERENCE,
) => {
  const { reading } = readingOf(CLUSTER);
  return { wait: await readLane(reading, jobOf(gpus, lane), reference), unread: reading.unread };
};

describe('a job that is not submitted', () => {
  it('would wait behind others of its lane', async () => {
    const { wait, unread } = await waitOf(4, { name: 'main' });
    expect(unread).toEqual([]);
    expect(wait).toEqual({
      code: 'WaitingInLane',
      why: expect.stringMatching(/job\/ml\/waits is the next of lane main/),
      place: {
        ...{ queue: 'lane', name: 'main', position: 2, of: 2 },
        ahead: [{ who: 'job/ml/waits', needs: { [GPU]: '4' } }],
      },
    });
  });

  it('would wait behind others whatever clock their times are of', async () => {
    const { reading } = readingOf({
      ...CLUSTER,
      '/api/v1/namespaces/sys/configmaps': list(
        recordOf('runs', 6, { takenAt: Date.now() }),
        recordOf('waits', 4, { since: Date.now() + 60_000 }),
      ),
    });
    const wait = await readLane(reading, jobOf(4, { name: 'main' }), REFERENCE);
    expect(wait?.place).toMatchObject({ position: 2, of: 2 });
  });

  it('could never start with more than its lane has', async () => {
    const { wait } = await waitOf(9, { name: 'main' });
    expect(wait).toMatchObject({
      code: 'NeverFits',
      why: expect.stringMatching(/it needs 9 .*pool main is 8/),
      place: { queue: 'lane', name: 'main', of: 1, ahead: [] },
    });
  });

  it.each([
    ['closed', /lane closed is paused: new drivers/],
    ['others', /there is no lane others for namespace ml, which has main, closed, faulty/],
    ['none', /there is no lane none for namespace ml/],
  ])('would not be let into lane %s', async (name, why) => {
    const { wait } = await waitOf(1, { name });
    expect(wait).toMatchObject({ code: 'QueueClosed', why: expect.stringMatching(why) });
  });

  it('would wait until an administrator mends its lane, and no other lane', async () => {
    const { wait } = await waitOf(1, { name: 'faulty' });
    expect(wait).toMatchObject({
      code: 'LaneFaulty',
      why: 'lane faulty has a fault, which an administrator can mend: lanes.faulty.paused: expected a text that says why, of at most 500 characters, got true',
    });
    expect((await waitOf(1, { name: 'main', runsFor: '10m' })).wait).toBeUndefined();
  });

  it.each([undefined, { name: 'main' }])('would wait while no lane can be read: %j', async (lane) => {
    const path = '/api/v1/namespaces/sys/configmaps/lanes';
    const { reading } = readingOf({ ...CLUSTER, [path]: { data: { 'lanes.yaml': 'lanes: 7' } } });
    expect(await readLane(reading, jobOf(1, lane), REFERENCE)).toEqual({
      code: 'LaneFaulty',
      why: 'ConfigMap sys/lanes, lanes.yaml: lanes: expected an object, got 7',
    });
  });

  it('would not wait behind itself if it is live', async () => {
    const { reading } = readingOf({
      ...CLUSTER,
      '/api/v1/namespaces/sys/configmaps': list(
        recordOf('runs', 6, { takenAt: Date.now() }),
        recordOf('train', 4, {}),
      ),
    });
    const wait = await readLane(reading, jobOf(4, { name: 'main' }), REFERENCE);
    expect(wait?.place).toMatchObject({ position: 1, of: 1, ahead: [] });
  });

  it('would wait for what pods of an ended job have, and no more', async () => {
    const pod = (uid: string, gpus: string) => ({
      metadata: {
        ...{ name: 'p', namespace: 'ml', uid },
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'ended.signalbox', uid: 'ended' }],
      },
      spec: { nodeName: 'n', containers: [{ name: 'c', resources: { limits: { [GPU]: gpus } } }] },
    });
    const { reading } = readingOf({
      ...CLUSTER,
      '/api/v1/namespaces/sys/configmaps': list(recordOf('ended', 8, { takenAt: 1 }, true)),
      '/api/v1/pods': list(pod('p1', '2')),
    });
    expect(await readLane(reading, jobOf(6, { name: 'main' }), REFERENCE)).toBeUndefined();
    const wait = await readLane(reading, jobOf(7, { name: 'main' }), REFERENCE);
    expect(wait?.why).toMatch(/6 of 8 are free in pool main/);
  });

  it('has nothing to wait for in a lane that has room, and in none', async () => {
    expect((await waitOf(1, { name: 'main', runsFor: '10m' })).wait).toBeUndefined();
    expect((await waitOf(1, undefined)).wait).toBeUndefined();
  });

  it('has a lane of which nothing is known if nobody says where lanes are', async () => {
    const { reading } = readingOf(CLUSTER);
    expect(await readLane(reading, jobOf(1, { name: 'main' }), undefined)).toBeUndefined();
    expect(reading.unread[0]).toMatch(/SIGNALBOX_LANES does not say where lanes are/);
  });
});

describe('a job that waits', () => {
  const own: OwnState = {
    phase: 'Pending',
    state: 'Pending.Queued',
    causes: [{ reason: 'WaitingInLane', message: 'position 9 of 9' }],
  };

  it('has the position and the earliest start that it has now, as far as that can be read', async () => {
    const { reading } = readingOf(CLUSTER);
    const now = await readLaneNow(reading, { own, anchorUid: 'waits' }, REFERENCE);
    expect(now).toEqual({
      code: 'WaitingInLane',
      why: expect.stringMatching(/2 of 8 are free in pool main; it has waited/),
      place: {
        ...{ queue: 'lane', name: 'main', position: 1, of: 1, ahead: [] },
        earliestStart: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
    expect(await readLaneNow(reading, { own, anchorUid: 'gone' }, REFERENCE)).toBeUndefined();
    expect(await readLaneNow(reading, { own, anchorUid: 'waits' }, undefined)).toBeUndefined();
    const { reading: blind } = readingOf({ '/api/v1/namespaces/sys/configmaps/lanes': 403 });
    expect(await readLaneNow(blind, { own, anchorUid: 'waits' }, REFERENCE)).toBeUndefined();
    expect(blind.unread[0]).toMatch(/what its lane does is not known/);
  });

  it('is asked for, too, if it was told that it can never start', async () => {
    const { reading } = readingOf(CLUSTER);
    const told = { ...own, causes: [{ reason: 'NeverFits', message: 'it needs 9' }] } as const;
    const now = await readLaneNow(reading, { own: told, anchorUid: 'waits' }, REFERENCE);
    expect(now?.code).toBe('WaitingInLane');
  });

  it('is asked for only of a job that waits in one', async () => {
    const { reading, sent } = readingOf(CLUSTER);
    const runs = { own: { ...own, causes: [] }, anchorUid: 'runs' };
    expect([await readLaneNow(reading, runs, REFERENCE), sent]).toEqual([undefined, []]);
  });
});

describe('a job that its lane lets start', () => {
  const own: OwnState = {
    phase: 'Pending',
    state: 'Pending.Queued',
    causes: [{ reason: 'WaitingInLane', message: 'position 1 of 1' }],
  };
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
  const lease = (written: number, { holder = 'host_1', led = 3600 } = {}) => ({
    metadata: { name: 'w', namespace: 'sys', managedFields: [{ time: ago(written) }] },
    // A clock that is an hour slow says nothing.
    spec: { holderIdentity: holder, renewTime: ago(3600), acquireTime: ago(3600 + led) },
  });
  const now = async (leases: object | 403) => {
    const { reading } = readingOf({
      ...CLUSTER,
      '/api/v1/namespaces/sys/configmaps': list(recordOf('waits', 4, {})),
      '/apis/coordination.k8s.io/v1/namespaces/sys/leases': leases,
    });
    const wait = await readLaneNow(reading, { own, anchorUid: 'waits' }, REFERENCE);
    return { wait, unread: reading.unread };
  };

  it.each<[string, object, object | undefined]>([
    ['is granted that by a watcher that leads', list(lease(3)), undefined],
    ['waits for a watcher', list(lease(120)), { code: 'AwaitingWatcher', why: /no watcher has led for 2m/ }],
    ['waits for one after a release', list(lease(1, { holder: '' })), { code: 'AwaitingWatcher' }],
    ['waits for a new one', list(lease(3, { led: 4 })), { code: 'WaitingInLane', why: /just taken over/ }],
    ['has one of several', list(lease(120), lease(3)), undefined],
    ['has a watcher elsewhere', list(), undefined],
  ])('%s', async (_, leases, expected) => {
    const { wait, unread } = await now(leases);
    expect(unread).toEqual([]);
    if (!expected) expect(wait).toBeUndefined();
    else {
      const { why, ...more } = expected as { why?: RegExp };
      expect(wait).toMatchObject({
        ...more,
        why: expect.stringMatching(why ?? /its lane lets it start, but/),
      });
    }
  });

  it('is told what may not be read', async () => {
    const { unread } = await now(403);
    expect(unread[0]).toMatch(/whether a watcher decides is not known: leases of namespace sys/);
  });
});
