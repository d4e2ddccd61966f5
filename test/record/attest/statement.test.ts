import { describe, expect, test } from '@jest/globals';
import { LAST_APPLIED } from '../../../contracts/last-applied.ts';
import type { ResourceDescriptor } from '../../../record/attest/in-toto.ts';
import { provenanceOf, type StatementOptions } from '../../../record/attest/statement.ts';
import { A_JOB, INPUT_DIGEST, MODEL_DIGEST, sha256Of, TRAIN_DIGEST } from './a-job.ts';

const attest = (options: Partial<StatementOptions> = {}, job = A_JOB) =>
  provenanceOf(job, { version: '0.1.0', ...options });

const named = (descriptors: readonly ResourceDescriptor[], name: string) =>
  descriptors.find((one) => one.name === name);

const dependencyOf = (name: string) =>
  named(attest().statement.predicate.buildDefinition.resolvedDependencies, name);
const byproductOf = (name: string, options = {}) =>
  named(attest(options).statement.predicate.runDetails.byproducts, name);

describe('a statement', () => {
  test('has the ledger as a file, and outputs with a known digest, as subjects', () => {
    const { statement, ledger } = attest();
    expect(statement.subject).toEqual([
      { name: 'ledger.jsonl', digest: { sha256: sha256Of(ledger) } },
      { name: 'tokens', digest: { sha256: MODEL_DIGEST } },
    ]);
    expect(ledger.split('\n')).toHaveLength(7);
    expect(byproductOf('ledger.jsonl')?.annotations).toMatchObject({
      entries: 6,
      readFrom: 'localhost:7233',
    });
  });

  test('has an output that was measured afterwards as a subject, too', () => {
    const model = 'e'.repeat(64);
    expect(attest({ outputs: { model } }).statement.subject).toContainEqual({
      name: 'model',
      digest: { sha256: model },
    });
    expect(byproductOf('output model', { outputs: { model } })?.annotations).toMatchObject({
      digestIs: 'measured',
    });
    expect(byproductOf('output model')).toEqual({
      name: 'output model',
      uri: 's3://models/train',
      annotations: { declared: true },
    });
  });

  test('has manifest, policy, and accepted amendments', () => {
    const { externalParameters, internalParameters } = attest().statement.predicate.buildDefinition;
    expect(externalParameters.manifest).toBe(A_JOB.manifest);
    expect(externalParameters.revisions).toEqual([
      {
        revision: 2,
        at: '2026-11-21T15:04:00.000Z',
        request: 'scale',
        asked: { role: 'Worker', replicas: 2 },
        who: { given: 'ben' },
        why: 'fewer nodes',
      },
    ]);
    expect(internalParameters).toMatchObject({
      job: { workflowId: 'job/ml/train', firstRunId: '1f3d' },
      policy: { restart: { ladder: [{ scope: 'gang' }] } },
    });
  });

  test('leaves out the values of environment variables on request, with a note', () => {
    const env = [
      { name: 'TOKEN', value: 'secret' },
      { name: 'KEY', valueFrom: { secretKeyRef: { name: 'keys', key: 'a' } } },
    ];
    const manifest = { spec: { template: { spec: { containers: [{ name: 'a', image: 'b', env }] } } } };
    const { statement } = attest({ withoutEnv: true }, { ...A_JOB, manifest });
    expect(JSON.stringify(statement)).not.toContain('"secret"');
    const container = { name: 'a', image: 'b', env: [{ name: 'TOKEN' }, env[1]] };
    expect(statement.predicate.buildDefinition.externalParameters).toMatchObject({
      withoutEnv: true,
      manifest: { spec: { template: { spec: { containers: [container] } } } },
    });
  });

  test('also hides other likely secrets then', () => {
    const args = ['--api-key=hunter2', '--token', 'hunter2'];
    const annotations = { 'signalbox.dev/inputs': '[{name: data, uri: "ftp://ana:hunter2@data/1"}]' };
    const manifest = { metadata: { annotations }, spec: { containers: [{ name: 'a', args }] } };
    const entries = A_JOB.entries.map((entry) => ({ ...entry, message: 'lost ftp://ana:hunter2@data' }));
    const { statement } = attest({ withoutEnv: true }, { ...A_JOB, manifest, entries });
    expect(JSON.stringify(statement)).not.toContain('hunter2');
    expect(JSON.stringify(attest({}, { ...A_JOB, manifest, entries }).statement)).toContain('hunter2');
  });

  test('never has the last-applied copy of kubectl apply', () => {
    const manifest = { metadata: { annotations: { [LAST_APPLIED]: 'hunter2' } } };
    expect(JSON.stringify(attest({}, { ...A_JOB, manifest }).statement)).not.toContain('hunter2');
  });

  test('has declared inputs, with their digests', () => {
    expect(dependencyOf('input corpus')).toMatchObject({
      uri: 's3://data/corpus',
      digest: { sha256: INPUT_DIGEST },
    });
    expect(dependencyOf('input base')).toEqual({
      name: 'input base',
      uri: 'hf://org/base',
      annotations: { declared: true },
    });
  });

  test('has each image once, with its nodes, and only digests of a repository', () => {
    expect(dependencyOf('image registry.example/train:v1')).toEqual({
      name: 'image registry.example/train:v1',
      uri: 'docker://registry.example/train',
      digest: { sha256: TRAIN_DIGEST },
      annotations: {
        imageID: `registry.example/train@sha256:${TRAIN_DIGEST}`,
        imageIDIs: 'repository digest',
        containers: ['worker/pytorch'],
        pods: 3,
        attempts: [1, 2],
        nodes: ['gpu-1', 'gpu-2'],
      },
    });
    const init = dependencyOf('image curl:8');
    expect(init).toMatchObject({
      annotations: { imageIDIs: 'configuration digest', containers: ['worker/fetch (init)'] },
    });
    expect(init).not.toHaveProperty('digest');
    expect(dependencyOf('image logs:2')).toMatchObject({
      uri: 'docker://logs:2',
      annotations: { imageIDIs: 'not reported' },
    });
  });

  test('has times, outcome, and attempts without known pods', () => {
    const { metadata } = attest().statement.predicate.runDetails;
    expect(metadata).toEqual({
      invocationId: 'job/ml/train/1f3d',
      startedOn: '2026-11-21T15:01:00.000Z',
      finishedOn: '2026-11-21T15:06:00.000Z',
    });
    const outcome = byproductOf('outcome');
    const content = JSON.parse(Buffer.from(outcome!.content!, 'base64').toString());
    expect(content).toEqual({ phase: 'Completed', attempt: 2, restarts: 1 });
    expect(outcome?.annotations).toMatchObject({ message: 'the master has succeeded' });
    expect(byproductOf('pods.jsonl')?.annotations).toEqual({
      pods: 3,
      nodes: ['gpu-1', 'gpu-2'],
      attemptsWithoutRecord: [],
    });
    const some = attest({}, { ...A_JOB, pods: A_JOB.pods.slice(2) }).statement;
    expect(named(some.predicate.runDetails.byproducts, 'pods.jsonl')?.annotations).toMatchObject({
      attemptsWithoutRecord: [1],
    });
  });

  test('of a thousand pods has their image once, and stays small', () => {
    const [first] = A_JOB.pods;
    const pods = Array.from({ length: 1_000 }, (_, index) => ({
      ...first!,
      uid: `${index}`,
      node: `gpu-${index}`,
    }));
    const { statement } = attest({}, { ...A_JOB, pods });
    expect(JSON.stringify(statement).length).toBeLessThan(100_000);
    expect(statement.predicate.buildDefinition.resolvedDependencies).toHaveLength(5);
  });
});
