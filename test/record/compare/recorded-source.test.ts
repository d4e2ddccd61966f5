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
