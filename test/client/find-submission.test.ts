import { type Client, defaultPayloadConverter } from '@temporalio/client';
import { expect, it } from 'vitest';
import { findSubmission } from '../../client/find-submission.ts';
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

const wanted = (key: string) => ({ workflowId: 'job/ml/train', hash: 'same', key, rerun: false });

it('the run of a key is found also just after a new start, when the visibility store is behind', async () => {
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
