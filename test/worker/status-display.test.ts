import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ShowStatusRequest } from '../../activities/record-status.ts';
import type { ClusterClient } from '../../cluster/client.ts';
import { ApiError } from '../../cluster/errors.ts';
import type { Phase } from '../../contracts/types.ts';
import { StatusDisplay } from '../../worker/status-display.ts';
import { eventually } from '../eventually.ts';
import { aStatus } from '../workflows/some-status.ts';

/** Writes that the API server has received and not answered. */
let writes: { readonly patch: string; readonly answer: PromiseWithResolvers<never> }[];
let display: StatusDisplay;
let isOver: boolean;

beforeEach(() => {
  writes = [];
  isOver = false;
  const patch = (_: unknown, __: unknown, operations: unknown) => {
    const answer = Promise.withResolvers<never>();
    writes.push({ patch: JSON.stringify(operations), answer });
    if (isOver) answer.resolve(undefined as never);
    return answer.promise;
  };
  display = new StatusDisplay({
    cluster: { patch } as unknown as ClusterClient,
    clusterId: async () => 'cluster-1',
  });
});

const aRecord = (phase: Phase, record: number, over: Phase, anchorUid = 'anchor-1'): ShowStatusRequest => ({
  ...{ anchorUid, clusterId: 'cluster-1', status: aStatus(phase), digestHash: '', record },
  over: { phase: over, record: record - 1 },
});

const received = (count: number) => eventually(`${count} writes`, async () => writes.length === count);
const answers = async (index: number, error?: Error) => {
  const { answer } = writes[index]!;
  if (error) answer.reject(error);
  else answer.resolve(undefined as never);
  await answer.promise.catch(() => undefined);
};
const refusal = (status: number) => new ApiError('PATCH /', { status, reason: 'Invalid', message: '' });

const writeOf = (index: number) => {
  const operations = JSON.parse(writes[index]!.patch) as { op: string; path: string; value: string }[];
  const found = (op: string, path: string) =>
    operations.find((one) => one.op === op && one.path.endsWith(path))?.value;
  return { over: [found('test', 'phase'), found('test', 'record')], phase: found('add', 'phase') };
};

describe('what a job shows', () => {
  it('is written over what it replaces, on the anchor of this job alone', async () => {
    display.add(aRecord('Running', 2, 'Pending'));
    await received(1);
    expect(writeOf(0)).toEqual({ over: ['Pending', '1'], phase: 'Running' });
    expect(writes[0]!.patch).toContain('{"op":"test","path":"/metadata/uid","value":"anchor-1"}');
    await answers(0);
    await display.close();
  });

  it('is written after what the job showed before, but not beside it', async () => {
    display.add(aRecord('Starting', 2, 'Pending'));
    await received(1);
    display.add(aRecord('Running', 3, 'Starting'));
    display.add(aRecord('Running', 2, 'Pending', 'anchor-2'));
    await received(2);
    await answers(0);
    await received(3);
    expect(writeOf(2)).toEqual({ over: ['Starting', '2'], phase: 'Running' });
    await Promise.all([answers(1), answers(2), display.close()]);
  });

  it('replaces what was not written yet', async () => {
    const others = Array.from({ length: 32 }, (_, index) => index);
    for (const index of others) display.add(aRecord('Running', 2, 'Pending', `other-${index}`));
    display.add(aRecord('Starting', 2, 'Pending'));
    display.add(aRecord('Running', 3, 'Starting'));
    await received(32);
    await answers(0);
    await received(33);
    expect(writeOf(32)).toEqual({ over: ['Pending', '1'], phase: 'Running' });
    await Promise.all([...others.map((index) => answers(index + 1)), display.close()]);
    expect(writes).toHaveLength(33);
  });

  it('is tried again while the API server does not answer, in its newest form', async () => {
    display.add(aRecord('Starting', 2, 'Pending'));
    await received(1);
    await answers(0, new Error('connection refused'));
    display.add(aRecord('Running', 3, 'Starting'));
    await received(2);
    expect(writeOf(1)).toEqual({ over: ['Pending', '1'], phase: 'Running' });
    await Promise.all([answers(1), display.close()]);
  });

  it.each([403, 404, 413, 422])('is given up if the API server refuses it with %i', async (status) => {
    display.add(aRecord('Running', 2, 'Pending'));
    await received(1);
    await answers(0, refusal(status));
    await display.close();
    expect(writes).toHaveLength(1);
  });

  it('is written by a worker of the job’s cluster alone', async () => {
    display.add({ ...aRecord('Running', 2, 'Pending'), clusterId: 'cluster-2' });
    await display.close();
    expect(writes).toEqual([]);
  });
});

describe('a worker that stops', () => {
  it('waits for the writes under way, and does not try again', async () => {
    display.add(aRecord('Running', 2, 'Pending'));
    await received(1);
    const closed = display.close();
    await answers(0, new Error('connection refused'));
    await closed;
    expect(writes).toHaveLength(1);
  });
});

describe('counts that change within a phase', () => {
  const recount = (active: number): ShowStatusRequest => ({
    ...aRecord('Running', 2, 'Running'),
    ...{ status: aStatus('Running', { replicaStatuses: { Worker: { active } } }), isRecount: true },
  });
  const timeGoesBy = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  beforeEach(async () => {
    jest.useFakeTimers();
    display.add(recount(4));
    await timeGoesBy(0);
    await answers(0);
    await timeGoesBy(0);
  });

  afterEach(async () => {
    isOver = true;
    for (const index of writes.keys()) await answers(index);
    await display.close();
    jest.useRealTimers();
  });

  it('are written at most once in a second, and then the newest ones', async () => {
    display.add(recount(3));
    await timeGoesBy(500);
    display.add(recount(2));
    await timeGoesBy(400);
    expect(writes).toHaveLength(1);
    await timeGoesBy(100);
    expect(writes).toHaveLength(2);
    expect(writes[1]!.patch).toContain(String.raw`active\":2`);
  });

  it('do not delay another phase', async () => {
    display.add(recount(3));
    display.add(aRecord('Starting', 3, 'Running'));
    await timeGoesBy(0);
    expect(writes).toHaveLength(2);
    expect(writeOf(1)).toMatchObject({ phase: 'Starting' });
  });
});
