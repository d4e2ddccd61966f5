import { expect, it } from '@jest/globals';
import { type Client, defaultPayloadConverter } from '@temporalio/client';
import { findSubmission } from '../../client/use-cases/submit/find-submission.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { FAILED, listed } from '../temporal/raw-workflows.ts';

/** Lists that the visibility store gives one after the other, of runs by their keys; the last one from then on. */
function clientOf(last: string, ...lists: readonly (readonly string[])[]) {
  let asked = 0;
  const infoOf = (key: string) => ({
    ...{ workflowId: 'job/ml/train', runId: `run of ${key}`, memo: { key, manifestHash: 'same' } },
    ...{ status: { name: 'FAILED' }, raw: {} },
  });
  const workflow = {
    getHandle: () => ({ describe: async () => infoOf(last) }),
  };
  const workflowService = {
    listWorkflowExecutions: async () => listed(...lists[Math.min(asked++, lists.length - 1)]!.map(rawOf)),
  };
  const options = { loadedDataConverter: { payloadConverter: defaultPayloadConverter, payloadCodecs: [] } };
  return { client: { workflow, workflowService, options } as never as Client, asked: () => asked };
}

const rawOf = (key: string) => ({
  ...{ workflowId: 'job/ml/train', runId: `run of ${key}`, closedAt: 0, status: FAILED },
  memo: {
    key: defaultPayloadConverter.toPayload(key),
    manifestHash: defaultPayloadConverter.toPayload('same'),
  },
});

const wanted = (key: string) => ({
  ...{ workflowId: 'job/ml/train', hash: 'same', manifest: {}, key, rerun: false },
});

it('the run of a key is found just after a new start, although the visibility store is behind', async () => {
  const { client } = clientOf('tuesday', [], ['tuesday', 'monday']);
  expect(await findSubmission(client, wanted('monday'))).toMatchObject({
    ...{ state: 'same', result: 'already-ended', run: { runId: 'run of monday' } },
  });
});

it('a key is new once the visibility store has the last run, and no run of the key', async () => {
  const { client, asked } = clientOf('tuesday', ['tuesday', 'monday']);
  expect(await findSubmission(client, wanted('friday'))).toMatchObject({ state: 'free' });
  expect(asked()).toBe(1);
});

/** A client whose last run is open and has recorded a phase. */
function openRun(phase: string) {
  const values: Readonly<Record<string, string>> = { [SEARCH_ATTRIBUTES.phase.name]: phase };
  const run = {
    ...{ workflowId: 'job/ml/train', runId: 'run-1', memo: { key: 'monday', manifestHash: 'same' }, raw: {} },
    ...{ status: { name: 'RUNNING' }, startTime: new Date(0) },
    typedSearchAttributes: { get: ({ name }: { readonly name: string }) => values[name] },
  };
  const { client } = clientOf('monday', ['monday']);
  const others = { workflowService: client.workflowService, options: client.options };
  const workflow = { getHandle: () => ({ describe: async () => ({ ...run, runId: 'run of monday' }) }) };
  return { ...others, workflow } as never as Client;
}

it.each([
  ['Running', {}, 'already-running'],
  ['Completed', {}, 'already-completed'],
  ['Completed', { rerun: true }, 'ending'],
  ['Failed', {}, 'ending'],
  ['Stopped', {}, 'ending'],
  ['Stopped', { hash: 'other' }, 'ending'],
  ['Stopped', { key: 'tuesday' }, 'ending'],
  ['Stopped', { key: 'monday' }, 'already-ended'],
  ['Completed', { key: 'monday' }, 'already-completed'],
  ['Running', { key: 'monday' }, 'already-running'],
  ['Completed', { key: 'tuesday' }, 'ending'],
  ['Completed', { key: 'tuesday', acceptsCompleted: true }, 'already-completed'],
  ['Completed', { key: 'tuesday', acceptsCompleted: true, hash: 'other' }, 'ending'],
  ['Failed', { key: 'tuesday', acceptsCompleted: true }, 'ending'],
])('with an open run that is %s, a submission with %o gets %s', async (phase, submission, expected) => {
  const submitted = {
    ...{ workflowId: 'job/ml/train', hash: 'same', manifest: {}, key: undefined, rerun: false },
    ...submission,
  };
  const found = await findSubmission(openRun(phase), submitted);
  expect(found.state === 'same' ? found.result : found.state).toBe(expected);
});
