import { describe, expect, it } from '@jest/globals';
import { formatFault } from '../../../contracts/faults.ts';
import { editManifest, type ManifestEdit } from '../../../frameworks/changes/edit-manifest.ts';

const MANIFEST = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'PyTorchJob',
  metadata: {
    name: 'train',
    labels: { 'app.kubernetes.io/part-of': 'nlp' },
    annotations: { 'signalbox.dev/policy': 'restart:\n  backOff: { initial: 1s }\n' },
  },
  spec: {
    pytorchReplicaSpecs: {
      Worker: {
        replicas: 2,
        template: {
          spec: {
            containers: [
              { name: 'sidecar', image: 'log:1' },
              { name: 'pytorch', image: 'train:1', env: [{ name: 'LR', value: '0.1' }] },
            ],
          },
        },
      },
    },
  },
};

const WORKER = 'spec.pytorchReplicaSpecs.Worker';
const MAIN = `${WORKER}.template.spec.containers[pytorch]`;

/** Returns the value at a path of the edited manifest. */
function edited(edits: readonly ManifestEdit[], ...steps: readonly (string | number)[]): unknown {
  const result = editManifest(MANIFEST, edits);
  if ('faults' in result) throw new Error(result.faults.map(formatFault).join('\n'));
  return steps.reduce<unknown>(
    (value, step) => (value as Record<string | number, unknown>)[step],
    result.manifest,
  );
}

const worker = ['spec', 'pytorchReplicaSpecs', 'Worker'];
const main = [...worker, 'template', 'spec', 'containers', 1];

describe('an edited manifest', () => {
  it.each([
    ['a field', `${WORKER}.replicas`, 4, [...worker, 'replicas']],
    ['a role in any case', 'spec.pytorchReplicaSpecs.worker.replicas', 4, [...worker, 'replicas']],
    ['a container by its name', `${MAIN}.image`, 'train:2', [...main, 'image']],
    [
      'a container by its index',
      `${WORKER}.template.spec.containers[1].image`,
      'train:2',
      [...main, 'image'],
    ],
    ['a variable by its name', `${MAIN}.env[LR].value`, '0.2', [...main, 'env', 0, 'value']],
    ['a variable more', `${MAIN}.env[+]`, { name: 'SEED', value: '1' }, [...main, 'env', 1]],
    ['a list that was not there', `${MAIN}.args[+]`, '--fast', [...main, 'args', 0]],
    [
      'mappings that were not there',
      `${MAIN}.resources.limits.nvidia.com/gpu`,
      8,
      [...main, 'resources', 'limits', 'nvidia.com/gpu'],
    ],
    [
      'a label with dots',
      'metadata.labels.app.kubernetes.io/part-of',
      'cv',
      ['metadata', 'labels', 'app.kubernetes.io/part-of'],
    ],
    [
      'an annotation in brackets',
      'metadata.annotations[example.com/a.b]',
      'x',
      ['metadata', 'annotations', 'example.com/a.b'],
    ],
  ])('has %s', (_what, path, value, steps) => {
    expect(edited([{ path, value }], ...steps)).toEqual(value);
  });

  it('keeps all other fields, and does not change its source', () => {
    const before = structuredClone(MANIFEST);
    const result = edited([{ path: `${WORKER}.replicas`, value: 4 }]);
    expect(MANIFEST).toEqual(before);
    expect(edited([{ path: `${WORKER}.replicas`, value: 2 }])).toEqual(before);
    expect(result).not.toEqual(before);
  });

  it('has no field that was set to null', () => {
    expect(edited([{ path: `${MAIN}.env`, value: null }], ...main)).toEqual({
      name: 'pytorch',
      image: 'train:1',
    });
    expect(
      edited([{ path: `${WORKER}.template.spec.containers[sidecar]`, value: null }], ...main.slice(0, -1)),
    ).toHaveLength(1);
  });

  it('has another policy, merged into the previous one', () => {
    const path = 'metadata.annotations[signalbox.dev/policy].restart.backOff.max';
    expect(edited([{ path, value: '5m' }], 'metadata', 'annotations', 'signalbox.dev/policy')).toBe(
      'restart:\n  backOff:\n    initial: 1s\n    max: 5m\n',
    );
  });

  it('applies changes in order', () => {
    const edits = [
      { path: `${MAIN}.env[+]`, value: { name: 'SEED' } },
      { path: `${MAIN}.env[SEED].value`, value: '7' },
    ];
    expect(edited(edits, ...main, 'env', 1)).toEqual({ name: 'SEED', value: '7' });
  });
});

describe('a path', () => {
  it.each([
    [
      `${WORKER}.template.spec.containers[pytorhc].image`,
      'x',
      'spec.pytorchReplicaSpecs.Worker.template.spec.containers[pytorhc]: expected one of sidecar, pytorch, an index below 2, or [+] to append (did you mean pytorch?), got "pytorhc"',
    ],
    [
      `${MAIN}.env[7].value`,
      'x',
      `${WORKER}.template.spec.containers[1].env[7]: expected one of LR, an index below 1, or [+] to append, got "7"`,
    ],
    [
      `${WORKER}.replicas.min`,
      1,
      'spec.pytorchReplicaSpecs.Worker.replicas: expected an object or a list, got 2',
    ],
    ['spec.runPolicy', null, 'spec.runPolicy: expected one of pytorchReplicaSpecs, got "runPolicy"'],
    [
      'spec..replicas',
      1,
      'spec..replicas: expected names separated by dots, e.g. spec.runPolicy.backoffLimit, got "spec..replicas"',
    ],
    ['metadata.name', 'other', 'metadata.name: expected the name by its own option, --name, got "other"'],
    [
      'status.phase',
      'x',
      'status.phase: expected a field of the manifest; the job writes its status, got "x"',
    ],
    [
      'metadata.annotations[signalbox.dev/policy].failures.rules[0].class',
      'x',
      'metadata.annotations[signalbox.dev/policy].failures.rules: expected the whole list, as lists of a policy are replaced as a whole, got "x"',
    ],
  ])('%s with %j is a fault', (path, value, text) => {
    const result = editManifest(MANIFEST, [{ path, value }]);
    expect('faults' in result && result.faults.map(formatFault)).toEqual([text]);
  });

  it('reports all faults together', () => {
    const result = editManifest(MANIFEST, [
      { path: 'metadata.name', value: 'other' },
      { path: `${WORKER}.replicas.min`, value: 1 },
    ]);
    expect('faults' in result && result.faults).toHaveLength(2);
  });
});
