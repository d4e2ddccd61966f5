import { describe, expect, it } from '@jest/globals';
import { endInLane, joinLane, leaveLane, takePlace } from '../../activities/lane-places.ts';
import type { Dependencies } from '../../activities/support/dependencies.ts';
import { ApiError } from '../../cluster/errors.ts';
import type { ConfigMap } from '../../contracts/kubernetes.ts';
import { parseLaneRecord } from '../../contracts/lane-record.ts';
import { parseManifest } from '../../frameworks/manifest/parse-manifest.ts';
import { aManifest } from '../frameworks/manifests.ts';

const LANES = { namespace: 'sys', name: 'lanes' };
const parsed = parseManifest(aManifest().build(), { namespace: 'ml' });
if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults));
const OF = { job: { ...parsed.job, lane: 'research' }, anchorUid: 'anchor-1' };
const failure = (status: number, reason: string) => new ApiError('test', { status, reason, message: reason });

/** A cluster that keeps ConfigMaps, with a clock of its own. */
function aLane() {
  const kept = new Map<string, ConfigMap>();
  let now = 1_000_000;
  const cluster = {
    now: () => now,
    create: async (_: unknown, object: ConfigMap) => {
      if (kept.has(object.metadata.name)) throw failure(409, 'AlreadyExists');
      kept.set(object.metadata.name, object);
      return object;
    },
    find: async (_: unknown, __: string, name: string) => kept.get(name),
    patch: async (
      _: unknown,
      { name }: { name: string },
      { data }: { data: Record<string, string | null> },
    ) => {
      const before = kept.get(name);
      if (!before) throw failure(404, 'NotFound');
      const merged = Object.entries({ ...before.data, ...data }).filter(([, value]) => value !== null);
      kept.set(name, { ...before, data: Object.fromEntries(merged) as Record<string, string> });
    },
    delete: async (_: unknown, __: string, name: string) => {
      if (!kept.delete(name)) throw failure(404, 'NotFound');
    },
  };
  const dependencies = { cluster, lanesReference: LANES } as unknown as Dependencies;
  return {
    dependencies,
    passes: (ms: number) => {
      now += ms;
    },
    records: () => [...kept.values()].map((one) => parseLaneRecord(one, LANES)),
    namespaces: () => [...kept.values()].map(({ metadata }) => metadata.namespace),
  };
}

describe('the place of a job', () => {
  it('is beside the lanes, with the age of its submission', async () => {
    const { dependencies, records, namespaces } = aLane();
    await joinLane(dependencies, { ...OF, attempt: 1, user: 'ada', submittedAt: 5 });
    await joinLane(dependencies, { ...OF, attempt: 1, user: 'ada', submittedAt: 5 });
    expect(namespaces()).toEqual(['sys']);
    expect(records()).toMatchObject([
      {
        ...{ namespace: 'ml', job: OF.job.name, anchorUid: 'anchor-1', request: { lane: 'research' } },
        place: { attempt: 1, user: 'ada', since: 5 },
      },
    ]);
  });

  it('is taken once, by the clock of the API server', async () => {
    const { dependencies, records, passes } = aLane();
    await joinLane(dependencies, { ...OF, attempt: 1, submittedAt: 5 });
    expect(await takePlace(dependencies, { ...OF, attempt: 1, until: 1_000_000 })).toBe(true);
    passes(60_000);
    expect(await takePlace(dependencies, { ...OF, attempt: 1, until: 1_000_000 })).toBe(true);
    expect(records()[0]?.place).toEqual({ attempt: 1, since: 5, takenAt: 1_000_000 });
  });

  it.each([
    [
      'keeps its age if it went for another',
      'winner',
      { since: 5, requeuedAt: 1_060_000, yieldsTo: 'winner' },
    ],
    ['goes behind those that wait if it did not use what it had', undefined, { since: 1_060_000 }],
  ])('%s', async (_, yieldsTo, expected) => {
    const { dependencies, records, passes } = aLane();
    await joinLane(dependencies, { ...OF, attempt: 1, submittedAt: 5 });
    await takePlace(dependencies, { ...OF, attempt: 1, until: 2_000_000 });
    passes(60_000);
    await joinLane(dependencies, { ...OF, attempt: 2, yieldsTo });
    expect(records()[0]?.place).toEqual({ attempt: 2, ...expected });
  });

  it('goes behind those that wait after it has left the lane', async () => {
    const { dependencies, records, passes } = aLane();
    await joinLane(dependencies, { ...OF, attempt: 1, submittedAt: 5 });
    await leaveLane(dependencies, OF);
    expect(records()[0]?.place).toBeUndefined();
    passes(60_000);
    await joinLane(dependencies, { ...OF, attempt: 2, submittedAt: 5 });
    expect(records()[0]?.place).toEqual({ attempt: 2, since: 1_060_000 });
  });

  it('is kept at the end for pods that are left', async () => {
    const { dependencies, records } = aLane();
    await joinLane(dependencies, { ...OF, attempt: 1 });
    await endInLane(dependencies, OF, { isEmpty: false });
    expect(records()).toMatchObject([{ hasEnded: true }]);
    await endInLane(dependencies, OF, { isEmpty: true });
    await endInLane(dependencies, OF, { isEmpty: true });
    expect(records()).toEqual([]);
  });
});
