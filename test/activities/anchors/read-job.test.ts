import { beforeEach, describe, expect, it } from '@jest/globals';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { readJob } from '../../../activities/anchors/read-job.ts';
import { JobCache } from '../../../activities/support/job-cache.ts';
import type { SourceAnswer } from '../../../contracts/job-revision.ts';
import type { TrainingJob } from '../../../contracts/training-job.ts';
import { buildJob } from '../../../frameworks/changes/build-job.ts';
import { aManifest } from '../../frameworks/manifests.ts';

const { namespace, conventions } = aManifest().job();
const SOURCE: SourceAnswer = {
  manifest: aManifest().build(),
  settings: { namespace, conventions, gangWarnings: [] },
  revision: 1,
  newest: 1,
};
const JOB = (buildJob(SOURCE) as { job: TrainingJob }).job;
const { revision, text: TEXT } = new JobCache().add(JOB);
const REFERENCE = { namespace: 'ml', name: 'resnet', anchorUid: 'anchor-1', ...revision };

/** An anchor that anybody may write, and the workflow. */
let anchor: { metadata: { uid: string }; data?: { job?: string } } | undefined;
let source: SourceAnswer;
let calls: string[];

const tools = {
  cluster: {
    find: async () => {
      calls.push('GET');
      return anchor;
    },
    patch: async (_resource: unknown, _target: unknown, patch: { data: { job: string } }) => {
      calls.push('PATCH');
      anchor = { ...anchor!, data: patch.data };
    },
  },
  temporal: {
    workflow: {
      getHandle: () => ({
        query: async () => {
          calls.push('query');
          return source;
        },
      }),
    },
  },
} as unknown as Parameters<typeof readJob>[0];

const read = (jobs = new JobCache(), reference = REFERENCE) => {
  const context = { info: { workflowExecution: { workflowId: 'job/ml/resnet', runId: 'run-1' } } };
  return asyncLocalStorage.run(context as unknown as Context, () => readJob({ ...tools, jobs }, reference));
};

const changed = () => TEXT.replaceAll('"image":', '"image":"evil","was":');

beforeEach(() => {
  anchor = { metadata: { uid: 'anchor-1' }, data: { job: TEXT } };
  source = SOURCE;
  calls = [];
});

describe('a job', () => {
  it('is read from the anchor once', async () => {
    const jobs = new JobCache();
    expect(await read(jobs)).toEqual({ job: JSON.parse(TEXT) });
    expect(await read(jobs)).toEqual({ job: JSON.parse(TEXT) });
    expect(calls).toEqual(['GET']);
  });

  it('is not read at all by the worker that admitted it', async () => {
    const jobs = new JobCache();
    jobs.add(JOB);
    expect(await read(jobs)).toEqual({ job: JOB });
    expect(calls).toEqual([]);
  });

  it('cannot be changed by an activity, because others share it', async () => {
    const { job } = await read();
    expect(() => {
      (job.roles[0]!.template.spec as { containers: unknown[] }).containers.push({});
    }).toThrow(TypeError);
  });
});

describe('an anchor with another job', () => {
  it('is ignored: the job comes from the workflow, and the anchor is restored', async () => {
    anchor!.data!.job = changed();
    expect(await read()).toEqual({
      job: JSON.parse(TEXT),
      restored:
        'the job on ConfigMap resnet.signalbox was changed; the changed job was not used, and the right one is restored',
    });
    expect(anchor!.data!.job).toBe(TEXT);
    expect(await read()).toEqual({ job: JSON.parse(TEXT) });
  });

  it.each(['', 'no JSON', '{}'])('is ignored: %j', async (text) => {
    anchor!.data!.job = text;
    expect((await read()).job).toEqual(JSON.parse(TEXT));
    expect(anchor!.data!.job).toBe(TEXT);
  });

  it('is restored without a warning if a refused amendment wrote it', async () => {
    anchor!.data!.job = JSON.stringify({ ...JOB, revision: 2 });
    expect(await read()).toEqual({ job: JSON.parse(TEXT) });
    expect(anchor!.data!.job).toBe(TEXT);
  });

  it('stays if it is newer: an effect may still need the previous revision', async () => {
    const newer = JSON.stringify({ ...JOB, revision: 2 });
    anchor!.data!.job = newer;
    source = { ...SOURCE, newest: 2 };
    expect(await read()).toEqual({ job: JSON.parse(TEXT) });
    expect(anchor!.data!.job).toBe(newer);
  });
});

it.each([
  ['that is gone', undefined],
  ['of another job', { metadata: { uid: 'anchor-2' }, data: { job: changed() } }],
])('without an anchor %s, the job comes from the workflow, and nothing is written', async (_, other) => {
  anchor = other;
  expect(await read()).toEqual({ job: JSON.parse(TEXT) });
  expect(calls).toEqual(['GET', 'query']);
});

it('a worker of another version uses the job that it builds itself, and writes it once', async () => {
  anchor!.data!.job = changed();
  const reference = { ...REFERENCE, sha256: 'hash of another version' };
  expect((await read(new JobCache(), reference)).restored).toBeDefined();
  expect(await read(new JobCache(), reference)).toEqual({ job: JSON.parse(TEXT) });
});

it('a manifest that this version refuses is left to another worker', async () => {
  anchor = undefined;
  source = { ...SOURCE, manifest: aManifest().with('spec.pytorchReplicaSpecs', {}).build() };
  await expect(read()).rejects.toThrow('the job cannot be built again: spec.pytorchReplicaSpecs');
});
