import { describe, expect, it } from '@jest/globals';
import { pytorchJob } from '../../../../client/manifests/builders/builders.ts';
import { readLane, withLaneNow } from '../../../../client/use-cases/why/read-lane.ts';
import { ANNOTATIONS } from '../../../../contracts/labels.ts';
import { formatLanePlace, formatLaneRequest } from '../../../../contracts/lane-request.ts';
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

const anchor = (name: string, gpus: number, more: object) => ({
  metadata: {
    ...{ name: `${name}-signalbox`, namespace: 'ml', uid: name },
    annotations: {
      [ANNOTATIONS.lane]: formatLaneRequest({
        ...{ lane: 'main', priority: 0, labels: {}, demand: { [GPU]: String(gpus) } },
        runsForMs: 3_600_000,
      }),
      [ANNOTATIONS.lanePlace]: formatLanePlace({ attempt: 1, since: 1, ...more }),
    },
  },
});

const CLUSTER = {
  '/api/v1/namespaces/sys/configmaps/lanes': { data: { 'lanes.yaml': JSON.stringify(LANES) } },
  '/api/v1/configmaps': list(anchor('runs', 6, { takenAt: Date.now() }), anchor('waits', 4, {})),
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
    expect(wait?.code).toBe('WaitingInLane');
    expect(wait?.message).toMatch(/position 2 of 2 in lane main; ahead: job\/ml\/waits/);
  });

  it('could never start with more than its lane has', async () => {
    const { wait } = await waitOf(9, { name: 'main' });
    expect(wait).toMatchObject({
      code: 'NeverFits',
      message: expect.stringMatching(/it needs 9 .*pool main is 8/),
    });
  });

  it.each([
    ['closed', /lane closed is paused: new drivers/],
    ['others', /there is no lane others for namespace ml, which has main, closed/],
    ['none', /there is no lane none for namespace ml/],
  ])('would not be let into lane %s', async (name, message) => {
    const { wait } = await waitOf(1, { name });
    expect(wait).toMatchObject({ code: 'QueueClosed', message: expect.stringMatching(message) });
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

  it('is told its position as it is now, as far as that can be read', async () => {
    const { reading } = readingOf(CLUSTER);
    const { causes } = await withLaneNow(reading, { own, anchorUid: 'waits' }, REFERENCE);
    expect(causes).toEqual([
      {
        reason: 'WaitingInLane',
        message: expect.stringMatching(/2 of 8 are free.*position 1 of 1 in lane main/),
      },
    ]);
    expect(await withLaneNow(reading, { own, anchorUid: 'gone' }, REFERENCE)).toBe(own);
    expect(await withLaneNow(reading, { own, anchorUid: 'waits' }, undefined)).toBe(own);
    const { reading: blind } = readingOf({ '/api/v1/namespaces/sys/configmaps/lanes': 403 });
    expect(await withLaneNow(blind, { own, anchorUid: 'waits' }, REFERENCE)).toBe(own);
    expect(blind.unread[0]).toMatch(/what its lane does is not known/);
  });
});
