import { describe, expect, it } from '@jest/globals';
import { ServiceError, WorkflowNotFoundError } from '@temporalio/client';
import { JobNotFoundError, ServerAwayError } from '../../client/errors/errors.ts';
import { TRAINING_JOB } from '../../contracts/messages.ts';
import { RPC_METHODS } from '../../contracts/schemas/rpc.ts';
import { asRpcFailure } from '../../rpc/failures.ts';
import { METHODS } from '../../rpc/methods.ts';
import { answerer, failureOf } from './some-servers.ts';

const ask = answerer();

describe('the methods', () => {
  it('are those of the contract', () => {
    expect([...METHODS.keys()]).toEqual(Object.keys(RPC_METHODS));
  });

  it('are listed to whoever asks for another one', async () => {
    expect(await failureOf(ask('histroy'))).toMatchObject({
      ...{ type: 'Refused', nonRetryable: true },
      message: expect.stringMatching(
        /^method: expected one of history, outcome, .*archive\.pods, got "histroy"\.$/,
      ),
    });
  });
});

describe('the arguments', () => {
  it('are refused with every fault, by path', async () => {
    const given = { jobb: {}, job: { workflowId: 3 }, since: 'yesterday', start: 0 };
    expect(await failureOf(ask('history', given))).toMatchObject({
      type: 'Refused',
      message: [
        'arguments.jobb: expected a known field (did you mean job?), got an object',
        'arguments.job.workflowId: expected a string, got 3',
        'arguments.since: expected a time as 2026-11-23T08:00:00Z, got "yesterday"',
        'arguments.start: expected an integer >= 1, got 0',
      ].join('\n'),
    });
  });

  it.each([
    ['find', {}, 'arguments.workflowId: expected a workflow id, or name and namespace, got nothing'],
    ['find', { name: 'train' }, 'arguments.namespace: expected the namespace of the name, got nothing'],
    ['planRerun', {}, 'arguments.job: expected a job, or `archived`, got nothing'],
    ['outcome', undefined, 'arguments.job: expected an object, got nothing'],
  ])('of %s name what is missing: %j', async (method, given, message) => {
    expect(await failureOf(ask(method, given))).toMatchObject({ type: 'Refused', message });
  });

  it('may not be a list', async () => {
    expect(await failureOf(ask('find', []))).toMatchObject({ type: 'Refused' });
    expect(await failureOf(ask('find', {}, 7))).toMatchObject({
      message: 'cursor: expected a text, got 7.',
    });
  });
});

describe('a manifest', () => {
  const manifest = {
    ...{ apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', metadata: { name: 'train' } },
    spec: { pytorchReplicaSpecs: { Master: {} }, runPolicies: {} },
  };

  it('is checked, and what the engine does not know in it is a fault', async () => {
    const { result } = await ask('validate', { manifest, namespace: 'ml' });
    expect(result).toMatchObject({
      faults: expect.arrayContaining([
        expect.objectContaining({ path: 'spec.runPolicies', got: 'an object' }),
        expect.objectContaining({ path: 'spec.pytorchReplicaSpecs.Master.template', got: 'nothing' }),
      ]),
      warnings: [],
    });
  });

  it('that has faults is not planned', async () => {
    expect(await failureOf(ask('planApply', { manifest, namespace: 'ml' }))).toMatchObject({
      type: 'InvalidManifest',
      details: [
        {
          faults: ['spec.pytorchReplicaSpecs.Master.template', 'spec.runPolicies'].map((path) =>
            expect.objectContaining({ path }),
          ),
          remedy: expect.stringContaining('Nothing was started'),
        },
      ],
    });
  });
});

describe('a sweep', () => {
  const container = { name: 'pytorch', image: 'train:1', args: ['--lr=$(lr)'] };
  const manifest = {
    ...{ apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', metadata: { name: 'train', namespace: 'ml' } },
    spec: {
      pytorchReplicaSpecs: { Worker: { replicas: 1, template: { spec: { containers: [container] } } } },
    },
  };

  it('is planned for whoever asks, as the TypeScript client starts it', async () => {
    const set = { lr: [0.1, 0.01] };
    const { result } = await ask('planSweep', {
      manifest,
      set,
      stopOnFailure: true,
      submittedBy: 'ana@laptop',
    });
    expect(result).toEqual({
      workflowId: 'parameter-sweep/ml/train',
      sweep: { manifest, set, stopOnFailure: true },
      memo: {
        ...{ manifestHash: expect.any(String), submittedBy: 'ana@laptop' },
        sweep: expect.objectContaining({ phase: 'Running', trials: 2, atMost: 50, waiting: 2 }),
      },
      summary: 'parameter sweep ml/train · 2 trials, at most 50 at once · by ana@laptop',
    });
  });

  it('that has faults is not planned', async () => {
    const asked = ask('planSweep', { manifest, set: { lrr: [1] }, submittedBy: 'ana' });
    expect(await failureOf(asked)).toMatchObject({
      ...{ type: 'InvalidManifest', message: expect.stringContaining('set.lrr: expected') },
    });
  });
});

const JOB = { workflowId: 'job/ml/train', firstRunId: 'a' };

it.each([
  ['list', {}],
  ['find', { workflowId: JOB.workflowId }],
  ['history', JOB],
  ['evidence', JOB],
  ['pods', JOB],
])('archive.%s names the setting of workers that archive nothing', async (method, given) => {
  expect(await failureOf(ask(`archive.${method}`, given))).toMatchObject({
    ...{ type: 'Refused', nonRetryable: true },
    message: 'The workers archive nothing: SIGNALBOX_ARCHIVE_STORE is none.',
    details: [{ remedy: expect.stringContaining('Set SIGNALBOX_ARCHIVE_STORE') }],
  });
});

describe('a failure', () => {
  it('has the code, the message, the remedy and the public fields of the error', () => {
    const known = [{ runIds: ['a'], phase: 'Failed', startTime: '2026-11-23T08:00:00Z', archive: 'secret' }];
    const error = new JobNotFoundError('job/ml/train', { run: 'b', known });
    expect(asRpcFailure(error)).toMatchObject({
      ...{ type: 'JobNotFound', nonRetryable: true, message: error.message, stack: '' },
      details: [{ remedy: error.remedy, workflowId: 'job/ml/train', known: [{ runIds: ['a'] }] }],
    });
    expect(JSON.stringify(asRpcFailure(error))).not.toContain('secret');
  });

  it('of a server that is away is tried again', () => {
    expect(asRpcFailure(new ServerAwayError('Temporal', 'localhost:7233'))).toMatchObject({
      ...{ type: 'ServerAway', nonRetryable: false },
    });
  });

  it('that nobody foresaw stays as it is', () => {
    const error = new TypeError('a bug');
    expect(asRpcFailure(error)).toBe(error);
  });
});

describe('a workflow that is no job', () => {
  const temporal = {
    options: { namespace: 'default' },
    withDeadline: (_: unknown, call: () => unknown) => call(),
    withAbortSignal: (_: unknown, call: () => unknown) => call(),
    workflow: {
      getHandle: (workflowId: string) => ({
        describe: async () => {
          if (workflowId === 'gone') throw new WorkflowNotFoundError('gone', workflowId, undefined);
          return { type: 'payroll', runId: 'run-1', raw: {} };
        },
      }),
    },
  };

  it.each(['history', 'outcome', 'evidence', 'planRerun'])('is none for %s', async (method) => {
    for (const workflowId of ['payroll/november', 'gone']) {
      expect(await failureOf(answerer({ temporal })(method, { job: { workflowId } }))).toMatchObject({
        ...{ type: 'JobNotFound', message: `There is no job ${workflowId}.` },
      });
    }
  });
});

describe('the history of a job that Temporal asks no worker about', () => {
  const details = 'Cannot query workflow due to Workflow Task in failed state.';
  const cause = Object.assign(new Error(details), { code: 9, details, metadata: {} });
  const call = (_: unknown, work: () => unknown) => work();
  const temporalWith = (status: string) => ({
    ...{
      options: { namespace: 'default', loadedDataConverter: { payloadCodecs: [] } },
      withDeadline: call,
      withAbortSignal: call,
    },
    workflow: {
      getHandle: () => ({
        describe: async () => ({
          ...{ type: TRAINING_JOB, workflowId: 'job/ml/train', runId: 'run-1' },
          ...{ status: { name: status }, raw: {} },
        }),
        query: () => Promise.reject(new ServiceError('Failed to query Workflow', { cause })),
        fetchHistory: async () => ({ events: [] }),
      }),
    },
  });

  it.each([
    ['RUNNING', 'WorkerAway'],
    ['TERMINATED', 'Refused'],
  ])('is one to ask for again only while it is open: %s', async (status, type) => {
    const temporal = temporalWith(status);
    const asked = answerer({ temporal })('history', { job: { workflowId: 'job/ml/train' } });
    expect(await failureOf(asked)).toMatchObject({
      type,
      message: expect.stringContaining('Temporal asks no worker about job/ml/train'),
    });
  });
});
