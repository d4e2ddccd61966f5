import { expect, it } from '@jest/globals';
import { recordedSource } from '../../../record/compare/recorded-source.ts';
import type { RunEvent } from '../../../temporal/run-chain.ts';

/** The revisions that a history tells of. Payloads are values here. */

const accepted = (name: string) => ({
  workflowExecutionUpdateAcceptedEventAttributes: { acceptedRequest: { input: { name } } },
});
const answered = (acceptedEventId: number, outcome: 'success' | 'failure') => ({
  workflowExecutionUpdateCompletedEventAttributes: { acceptedEventId, outcome: { [outcome]: {} } },
});
const scheduled = { activityTaskScheduledEventAttributes: { activityType: { name: 'amend' } } };
const done = (scheduledEventId: number, number: number) => ({
  eventTime: { seconds: 1_795_435_200, nanos: 0 },
  activityTaskCompletedEventAttributes: {
    scheduledEventId,
    result: {
      payloads: [{ plan: { roles: [{ name: 'Worker', replicas: 3 }] }, revision: { number } }],
    },
  },
});

const started = {
  workflowExecutionStartedEventAttributes: { input: { payloads: [{ kind: 'PyTorchJob' }] } },
};

const asked = (seconds: number) => ({
  workflowExecutionUpdateAcceptedEventAttributes: {
    acceptedRequest: { input: { name: 'extendDeadline', args: { payloads: [{ seconds }] } } },
  },
});

/** Events have their ids from 1; the first one is that of the start. */
const revisionsOf = async (...events: readonly object[]): Promise<number[]> =>
  (await sourceOf(events)).revisions.map(({ number }) => number);

async function sourceOf(events: readonly object[], start: object = started) {
  const numbered = [start, ...events].map((event, index) => ({ eventId: index + 1, ...event }));
  const decode = async (payloads: unknown) => (payloads ?? []) as readonly unknown[];
  return recordedSource([{ events: numbered as never as RunEvent[] }], decode);
}

it('the result of an update has a revision', async () => {
  expect(await revisionsOf(accepted('scale'), scheduled, done(3, 2), answered(2, 'success'))).toEqual([2]);
});

it('an update that was refused after the amendment was built has no revision', async () => {
  expect(await revisionsOf(accepted('scale'), scheduled, done(3, 2), answered(2, 'failure'))).toEqual([]);
});

it('an update has a revision if another one is refused before its result', async () => {
  const events = [accepted('scale'), scheduled, done(3, 2), accepted('scale')];
  expect(await revisionsOf(...events, answered(5, 'failure'), answered(2, 'success'))).toEqual([2]);
});

it('a second argument of a first run is not used as state of a job', async () => {
  const payloads = [{ kind: 'PyTorchJob' }, { job: {}, terms: {} }];
  const forged = { workflowExecutionStartedEventAttributes: { input: { payloads } } };
  const decode = async (given: unknown) => (given ?? []) as readonly unknown[];
  const { manifest, revisions } = await recordedSource([{ events: [forged] as never as RunEvent[] }], decode);
  expect(manifest).toEqual({ kind: 'PyTorchJob' });
  expect(revisions).toEqual([]);
});

it('a deadline is extended by the requests that the job accepted, also in earlier runs', async () => {
  const events = [asked(60), answered(2, 'success'), asked(600), answered(4, 'failure')];
  expect((await sourceOf(events)).extendedSeconds).toBe(60);
  const carried = {
    ledger: {},
    terms: {},
    job: { context: { extendedSeconds: 30, plan: { roles: [] }, revision: { number: 1 } } },
  };
  const continued = {
    workflowExecutionStartedEventAttributes: {
      continuedExecutionRunId: 'run-1',
      input: { payloads: [{ kind: 'PyTorchJob' }, carried] },
    },
  };
  expect((await sourceOf(events, continued)).extendedSeconds).toBe(90);
});

/** The start of a run that continues another one, with these arguments. */
const continuedWith = (payloads: readonly unknown[], others: object = {}) => ({
  workflowExecutionStartedEventAttributes: {
    ...{ continuedExecutionRunId: 'run-1', attempt: 1, input: { payloads } },
    ...others,
  },
});

it('a job that began anew before its admission has the manifest with which it did', async () => {
  const anew = continuedWith([
    { kind: 'PyTorchJob', generation: 2 },
    { ledger: { seq: 2 }, events: [] },
  ]);
  const settings = { workflowId: 'job/ml/train' };
  const plan = { roles: [{ name: 'Worker', replicas: 3 }] };
  const admits = [
    { activityTaskScheduledEventAttributes: { activityType: { name: 'admit' } } },
    {
      eventTime: { seconds: 1_795_435_200, nanos: 0 },
      activityTaskCompletedEventAttributes: {
        scheduledEventId: 2,
        result: { payloads: [{ settings, plan, revision: { number: 1 } }] },
      },
    },
  ];
  const decode = async (payloads: unknown) => (payloads ?? []) as readonly unknown[];
  const numbered = (events: readonly object[]) => ({
    events: events.map((event, index) => ({ eventId: index + 1, ...event })) as never as RunEvent[],
  });
  const runs = [numbered([started]), numbered([anew, ...admits])];
  expect(await recordedSource(runs, decode)).toEqual({
    ...{ manifest: { kind: 'PyTorchJob', generation: 2 }, settings, revisions: [], extendedSeconds: 0 },
  });
});

it.each([
  ['cron', { cronSchedule: '@every 1h' }],
  ['a retry policy', { attempt: 2 }],
])('a second argument that %s repeats is not used as state of a job', async (_, others) => {
  const forged = { ledger: {}, job: {}, terms: {} };
  const { manifest, revisions } = await sourceOf([], continuedWith([{ kind: 'PyTorchJob' }, forged], others));
  expect(manifest).toEqual({ kind: 'PyTorchJob' });
  expect(revisions).toEqual([]);
});

/** A manifest with this image, which made the revision of this number. */
const appliedBy = (
  image: string,
  { id, number, deadline }: { id: number; number: number; deadline?: number },
) => {
  const runPolicy = { activeDeadlineSeconds: deadline };
  const planned = { plan: { roles: [{ name: 'Worker', replicas: 3 }], runPolicy }, revision: { number } };
  const input = { name: 'apply', args: { payloads: [{ manifest: { image } }] } };
  const outcome = { success: { payloads: [{ phase: 'Running', revision: number }] } };
  return [
    { workflowExecutionUpdateAcceptedEventAttributes: { acceptedRequest: { input } } },
    { activityTaskScheduledEventAttributes: { activityType: { name: 'revise' } } },
    {
      eventTime: { seconds: 1_795_435_200, nanos: 0 },
      activityTaskCompletedEventAttributes: {
        scheduledEventId: id + 1,
        result: { payloads: [{ planned, changed: [] }] },
      },
    },
    { workflowExecutionUpdateCompletedEventAttributes: { acceptedEventId: id, outcome } },
  ];
};

it('an applied manifest is that of its revision and of those after it', async () => {
  const events = [
    ...appliedBy('two', { id: 2, number: 2 }),
    ...[accepted('scale'), { ...scheduled }, done(7, 3), answered(6, 'success')],
  ];
  const { manifest, revisions } = await sourceOf(events);
  expect(manifest).toEqual({ kind: 'PyTorchJob' });
  expect(revisions).toMatchObject([
    { number: 2, manifest: { image: 'two' } },
    { number: 3, manifest: { image: 'two' } },
  ]);
});

it('a manifest that changes the deadline ends what requests added to the old one', async () => {
  const extension = [asked(60), answered(2, 'success')];
  const same = [...extension, ...appliedBy('two', { id: 4, number: 2 })];
  expect((await sourceOf(same)).extendedSeconds).toBe(60);
  const other = [...extension, ...appliedBy('two', { id: 4, number: 2, deadline: 600 })];
  expect((await sourceOf(other)).extendedSeconds).toBe(0);
  expect((await sourceOf([...other, asked(5), answered(8, 'success')])).extendedSeconds).toBe(5);
});

it('an admission that waited for its name first is the one that came to an end', async () => {
  const admitting = { activityTaskScheduledEventAttributes: { activityType: { name: 'admit' } } };
  const result = (scheduledEventId: number, value: object) => ({
    eventTime: { seconds: 1_795_435_200, nanos: 0 },
    activityTaskCompletedEventAttributes: { scheduledEventId, result: { payloads: [value] } },
  });
  const waits = result(2, { waitsFor: [{ name: 'train-worker-0' }] });
  expect(await sourceOf([admitting, waits])).toMatchObject({ settings: undefined, revisions: [] });
  const settings = { workflowId: 'job/ml/train' };
  const plan = { roles: [{ name: 'Worker', replicas: 3 }] };
  const admits = result(4, { settings, plan, revision: { number: 1 } });
  expect(await sourceOf([admitting, waits, admitting, admits])).toMatchObject({ settings });
});
