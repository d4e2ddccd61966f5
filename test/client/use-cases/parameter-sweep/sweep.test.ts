import { describe, expect, it } from '@jest/globals';
import { InvalidManifestError } from '../../../../client/errors/errors.ts';
import {
  combinationAt,
  countCombinations,
} from '../../../../client/use-cases/parameter-sweep/combinations.ts';
import { plannedSweep } from '../../../../client/use-cases/parameter-sweep/start-sweep.ts';
import type { SweepOptions } from '../../../../client/use-cases/parameter-sweep/sweep-options.ts';
import { trialAt } from '../../../../client/use-cases/parameter-sweep/trial-manifest.ts';
import { formatFault } from '../../../../contracts/faults.ts';

const CONTAINER = {
  name: 'pytorch',
  image: 'train:1',
  args: ['--lr=$(lr)'],
  env: [{ name: 'SEED', value: '1' }],
};

const manifestWith = (container: object = {}) => ({
  apiVersion: 'kubeflow.org/v1',
  kind: 'PyTorchJob',
  metadata: { name: 'train', namespace: 'ml', labels: { team: 'nlp' } },
  spec: {
    pytorchReplicaSpecs: {
      Worker: { replicas: 2, template: { spec: { containers: [{ ...CONTAINER, ...container }] } } },
    },
  },
});

const REPLICAS = 'spec.pytorchReplicaSpecs.Worker.replicas';

async function trialOf(set: SweepOptions['set'], index = 0, container: object = {}) {
  const { sweep } = await plannedSweep(manifestWith(container), { set });
  const trial = trialAt(sweep, index);
  if ('faults' in trial) throw new Error('expected a trial');
  return trial.manifest as ReturnType<typeof manifestWith>;
}

const environmentIn = ({ spec }: ReturnType<typeof manifestWith>) =>
  spec.pytorchReplicaSpecs.Worker.template.spec.containers[0]!.env;

async function faultsOf(set: unknown, options: object = {}, manifest: object = manifestWith()) {
  const error = await plannedSweep(manifest, { set, ...options } as SweepOptions).then(
    () => undefined,
    (refused: unknown) => refused,
  );
  if (!(error instanceof InvalidManifestError)) throw error ?? new Error('expected faults');
  return error.faults.map(formatFault);
}

describe('the combinations of a sweep', () => {
  it('are all of them, the last parameter first', () => {
    const set = { lr: [0.1, 0.01], seed: [1, 2, 3] };
    expect(countCombinations(set)).toBe(6);
    expect(Array.from({ length: 6 }, (_, index) => combinationAt(set, index))).toEqual([
      { lr: 0.1, seed: 1 },
      { lr: 0.1, seed: 2 },
      { lr: 0.1, seed: 3 },
      { lr: 0.01, seed: 1 },
      { lr: 0.01, seed: 2 },
      { lr: 0.01, seed: 3 },
    ]);
  });

  it('are all checked', async () => {
    const values = Array.from({ length: 30 }, (_, index) => index);
    const { planned } = await plannedSweep(manifestWith(), { set: { lr: values, SEED: values } });
    expect(planned).toEqual({ name: 'train', namespace: 'ml', trials: 900, atMost: 50 });
  });
});

describe('a trial', () => {
  it('has a name, a label and its values', async () => {
    const { metadata } = await trialOf({ lr: [0.1, 0.01], SEED: [7] }, 1);
    expect(metadata).toEqual({
      name: 'train-1',
      namespace: 'ml',
      labels: { team: 'nlp', 'signalbox.dev/sweep': 'train' },
      annotations: { 'signalbox.dev/parameters': '{"lr":0.01,"SEED":7}' },
    });
  });

  it('has its variables in the environment, before those that may use them', async () => {
    expect(environmentIn(await trialOf({ lr: ['1e-3'] }))).toEqual([
      { name: 'lr', value: '1e-3' },
      { name: 'SEED', value: '1' },
    ]);
    expect(environmentIn(await trialOf({ SEED: [5] }))).toEqual([{ name: 'SEED', value: '5' }]);
  });

  it.each([
    ['args', { args: ['$(depth)'] }],
    ['a shell', { command: ['sh', '-c', 'train --depth $depth'] }],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's.
    ['braces', { command: ['sh', '-c', 'train --depth ${depth:-2}'] }],
    ['another variable', { env: [{ name: 'NAME', value: 'run-$(depth)' }] }],
    ['a volume mount', { volumeMounts: [{ name: 'out', mountPath: '/out', subPathExpr: 'd-$(depth)' }] }],
  ])('uses a variable in %s', async (_where, container) => {
    expect(environmentIn(await trialOf({ depth: [3] }, 0, container))?.[0]).toEqual({
      name: 'depth',
      value: '3',
    });
  });

  it('has variables that are the same in all trials, in every container', async () => {
    const env = { NCCL_DEBUG: 'INFO', SEED: 7, lr: '0' };
    const { sweep } = await plannedSweep(manifestWith(), { set: { lr: ['1e-3', '1e-4'] }, env });
    const trials = [0, 1].map((index) => trialAt(sweep, index));
    expect(trials.map((trial) => 'manifest' in trial && environmentIn(trial.manifest as never))).toEqual(
      ['1e-3', '1e-4'].map((lr) => [
        { name: 'lr', value: lr },
        { name: 'NCCL_DEBUG', value: 'INFO' },
        { name: 'SEED', value: '7' },
      ]),
    );
    await expect(
      plannedSweep(manifestWith(), { set: { lr: ['1'] }, env: { '1A': 'x' } }),
    ).rejects.toMatchObject({
      code: 'InvalidManifest',
      faults: [{ path: 'env', got: '1A' }],
    });
  });

  it('has its fields', async () => {
    const { spec } = await trialOf({ [REPLICAS]: [2, 4] }, 1);
    expect(spec.pytorchReplicaSpecs.Worker.replicas).toBe(4);
  });
});

describe('before anything starts', () => {
  it.each([
    [
      'a name that no container uses',
      { lrr: [1] },
      [
        /^set\.lrr: expected \$\(lrr\) in command.*uses SEED, lr \(did you mean lr\?\), got a name that no container uses$/,
      ],
    ],
    ['a name that is no variable', { 'l-r': [1] }, [/^set\.l-r: expected the name of a variable.*got l-r$/]],
    [
      'a value that is no text',
      { lr: [{ a: 1 }] },
      ['set.lr[0]: expected a text, a number, true or false, got an object'],
    ],
    ['no values', { lr: [] }, ['set.lr: expected a list of at least 1, got an empty list']],
    ['no parameter', {}, ['set: expected at least one parameter, got an object']],
    [
      'a misspelt path',
      { 'spec.pytorchReplicaSpecs.Worker.replcas': [1] },
      [
        /^train-0 \(.*\): spec\.pytorchReplicaSpecs\.Worker\.replcas: expected a known field \(did you mean replicas\?\), got 1$/,
      ],
    ],
    [
      'a wrong value in one trial',
      { [REPLICAS]: [1, -2] },
      [`train-1 (${REPLICAS}=-2): ${REPLICAS}: expected an integer >= 1, got -2`],
    ],
    [
      'an item that a list has not',
      { 'spec.pytorchReplicaSpecs.Worker.template.spec.containers[tf].image': ['a'] },
      [/containers\[tf\]: expected one of pytorch/],
    ],
    [
      'a number where a text is needed',
      { 'metadata.labels.step': [0.7] },
      [
        `train-0 (metadata.labels.step=0.7): metadata.labels.step: expected a string (--set 'metadata.labels.step="0.7"'), got 0.7`,
      ],
    ],
    ['the name', { 'metadata.name': ['a'] }, [/metadata\.name: expected the name by its own option/]],
    [
      'the namespace',
      { 'metadata.namespace': ['a'] },
      [/^metadata\.namespace: expected the namespace of the s/],
    ],
    [
      'generateName',
      { 'metadata.generateName': ['a-'] },
      [/^metadata\.generateName: expected a name for the s/],
    ],
    [
      'the label of its sweep',
      { 'metadata.labels[signalbox.dev/sweep]': ['a'] },
      [/^metadata\.labels\[signalbox\.dev\/sweep\]: expected a label of your own/],
    ],
    [
      'labels with that of its sweep',
      { 'metadata.labels': [{ a: 'b' }, { 'signalbox.dev/sweep': 'a' }] },
      [/^metadata\.labels\[signalbox\.dev\/sweep\]: expected a label of your own/],
    ],
    [
      'the annotation with its values',
      { 'metadata.annotations.signalbox.dev/parameters': ['{}'] },
      [/^metadata\.annotations\[signalbox\.dev\/parameters\]: expected an annotation of your own/],
    ],
    [
      'too many',
      { lr: Array.from({ length: 101 }, String), SEED: Array.from({ length: 100 }, String) },
      ['set: expected at most 10000 combinations of all values, got 10100'],
    ],
  ])('%s is refused', async (_what, set, faults) => {
    expect(await faultsOf(set)).toEqual(
      faults.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one))),
    );
  });

  it.each([0, 1.5, 1_001, 'many'])('at most %s at once is refused', async (atMost) => {
    const [fault] = await faultsOf({ lr: [1] }, { atMost });
    expect(fault).toMatch(/^atMost: expected /);
  });

  it('a name too long for the last trial is refused', async () => {
    const name = 'x'.repeat(62);
    const faults = await faultsOf({ lr: [1, 2] }, { name });
    expect(faults[0]).toMatch(/^x+-0 \(lr=1\): metadata\.name: /);
  });

  it('a manifest without a name is refused', async () => {
    const { metadata, ...rest } = manifestWith();
    expect(await faultsOf({ lr: [1] }, {}, rest)).toEqual(['metadata.name: expected a name, got nothing']);
  });
});
