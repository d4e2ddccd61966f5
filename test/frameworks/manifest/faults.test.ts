import { describe, expect, it } from '@jest/globals';
import { formatFault } from '../../../frameworks/fields/faults.ts';
import { parseManifest } from '../../../frameworks/manifest/parse-manifest.ts';
import { aContainer, aManifest, aRole, type ManifestBuilder } from '../manifests.ts';

type Table = readonly (readonly [change: (manifest: ManifestBuilder) => ManifestBuilder, fault: string])[];

const SPECS = 'spec.pytorchReplicaSpecs';

const VALID_UNICODE =
  'expected text in valid Unicode (replace the lone surrogate, or encode the text, e.g. as base64)';

const whatItIs: Table = [
  [
    (m) => m.with('kind', 'PyTorchJobs'),
    'kind: expected one of PyTorchJob, TFJob, XGBoostJob, PaddleJob, JAXJob, MPIJob, Job, TrainJob (did you mean PyTorchJob?), got "PyTorchJobs"',
  ],
  [(m) => m.with('apiVersion', undefined), 'apiVersion: expected kubeflow.org/v1, got nothing'],
  [(m) => m.with('metadata', undefined), 'metadata: expected an object, got nothing'],
  [(m) => m.with('metadata.name', undefined), 'metadata.name: expected a string, got nothing'],
  [(m) => m.with('metadata.name', 7), 'metadata.name: expected a string, got 7'],
  [
    (m) => m.with('metadata.name', 'ResNet'),
    'metadata.name: expected a DNS label: lower-case letters, digits and -, starting with a letter, got "ResNet"',
  ],
  [
    (m) => m.with('metadata.namespace', 'ml_team'),
    'metadata.namespace: expected a DNS label: lower-case letters, digits and -, got "ml_team"',
  ],
  [
    (m) => m.with('metadata.labels', { 'team/name': 7 }),
    'metadata.labels[team/name]: expected a string, got 7',
  ],
  [
    (m) => m.with('metadata.annotations', { 'signalbox.dev/gang': 'yarn' }),
    'metadata.annotations[signalbox.dev/gang]: expected one of auto, native, volcano, coscheduling, kube-batch, kueue, gated, gated-native, none, got "yarn"',
  ],
  [
    (m) => m.with('metadata.name', 'a'.repeat(60)).role('Worker', 'replicas', 1000),
    'metadata.name: expected at most 52 characters, because pod names add -worker-999 and have at most 63, got 60',
  ],
  [
    (m) => m.with('metadata.name', 'a'.repeat(70)),
    `metadata.name: expected a length <= 63, got "${'a'.repeat(70)}"`,
  ],
  [(m) => m.with('spec', undefined), 'spec: expected an object, got nothing'],
  [(m) => m.with('spec', 'run it'), 'spec: expected an object, got "run it"'],
  [
    (m) => m.with('metadata.labels', { file: 'caf\udce9.txt' }),
    `metadata.labels.file: ${VALID_UNICODE}, got "caf\\udce9.txt"`,
  ],
  [(m) => m.with('metadata.labels', { '\ud83d': 'x' }), `metadata.labels: ${VALID_UNICODE}, got "\\ud83d"`],
];

const roles: Table = [
  [(m) => m.with(SPECS, undefined), `${SPECS}: expected an object, got nothing`],
  [(m) => m.with(SPECS, {}), `${SPECS}: expected at least one of Master, Worker, got none`],
  [
    (m) => m.role('Launcher', '', aRole()),
    `${SPECS}.Launcher: expected one of Master, Worker, got "Launcher"`,
  ],
  [(m) => m.role('worker', '', aRole()), `${SPECS}.worker: expected Worker once, got a second one`],
  [(m) => m.role('Master', 'replicas', 2), `${SPECS}.Master.replicas: expected exactly 1, got 2`],
  [(m) => m.role('Worker', 'replicas', 0), `${SPECS}.Worker.replicas: expected an integer >= 1, got 0`],
  [(m) => m.role('Worker', 'replicas', -2), `${SPECS}.Worker.replicas: expected an integer >= 1, got -2`],
  [(m) => m.role('Worker', 'replicas', 1.5), `${SPECS}.Worker.replicas: expected an integer, got 1.5`],
  [(m) => m.role('Worker', 'replicas', '2'), `${SPECS}.Worker.replicas: expected an integer, got "2"`],
  [
    (m) => m.role('Worker', 'restartPolicy', 'onfailure'),
    `${SPECS}.Worker.restartPolicy: expected one of Always, OnFailure, Never, ExitCode, got "onfailure"`,
  ],
  [
    (m) => m.role('Worker', 'template', undefined),
    `${SPECS}.Worker.template: expected an object, got nothing`,
  ],
];

const AT = `${SPECS}.Worker.template.spec.containers`;
const containers =
  (...list: Parameters<typeof aContainer>) =>
  (manifest: ManifestBuilder) =>
    manifest.role('Worker', '', aRole({}, ...list.map(aContainer)));

const pods: Table = [
  [
    (m) => m.role('Worker', 'template.spec.containers', []),
    `${AT}: expected a list of at least 1, got an empty list`,
  ],
  [
    (m) => m.role('Worker', 'template.spec.containers', { name: 'pytorch' }),
    `${AT}: expected a list, got an object`,
  ],
  [containers({ image: undefined }), `${AT}[0].image: expected a string, got nothing`],
  [
    containers({ image: '' }),
    `${AT}[0].image: expected the name of an image, e.g. registry.example/team/train:1.0, got ""`,
  ],
  [containers({ env: [{ name: 'SEED', value: 1 }] }), `${AT}[0].env[0].value: expected a string, got 1`],
  [containers({ args: ['--lr', 0.1] }), `${AT}[0].args[1]: expected a string, got 0.1`],
  [containers({ command: 'train.py' }), `${AT}[0].command: expected a list, got "train.py"`],
  [
    containers({ ports: [{ containerPort: 70_000 }] }),
    `${AT}[0].ports[0].containerPort: expected an integer <= 65535, got 70000`,
  ],
  [
    containers({ ports: [{ containerPort: 80, protocol: 'tcp' }] }),
    `${AT}[0].ports[0].protocol: expected one of TCP, UDP, SCTP, got "tcp"`,
  ],
  [
    containers({ ports: [{ containerPort: 80 }, { containerPort: 80, name: 'b' }] }),
    `${AT}[0].ports[1]: expected a unique port, got 80/TCP`,
  ],
  [
    containers({
      ports: [
        { containerPort: 80, name: 'a' },
        { containerPort: 81, name: 'a' },
      ],
    }),
    `${AT}[0].ports[1].name: expected a unique name, got "a"`,
  ],
  [
    (m) => m.role('Worker', '', aRole({}, aContainer(), aContainer())),
    `${AT}[1].name: expected a unique name, got "pytorch"`,
  ],
  [
    (m) => m.role('Worker', 'template.spec.initContainers', [aContainer()]),
    `${AT}[0].name: expected a unique name, got "pytorch"`,
  ],
  [
    containers({ env: [{ name: 'SEED', value: '1' }, { name: 'EPOCHS' }, { name: 'SEED', value: '2' }] }),
    `${AT}[0].env[2].name: expected a unique name, got "SEED"`,
  ],
];

const policies: Table = [
  [
    (m) => m.with('spec.runPolicy.cleanPodPolicy', 'Always'),
    'spec.runPolicy.cleanPodPolicy: expected one of All, Running, None, got "Always"',
  ],
  [(m) => m.with('spec.runPolicy', 'fast'), 'spec.runPolicy: expected an object, got "fast"'],
  [
    (m) => m.with('spec.runPolicy.backoffLimit', -1),
    'spec.runPolicy.backoffLimit: expected an integer >= 0, got -1',
  ],
  [
    (m) => m.with('spec.runPolicy.activeDeadlineSeconds', 1.5),
    'spec.runPolicy.activeDeadlineSeconds: expected an integer, got 1.5',
  ],
  [
    (m) => m.with('spec.runPolicy.ttlSecondsAfterFinished', '1h'),
    'spec.runPolicy.ttlSecondsAfterFinished: expected an integer, got "1h"',
  ],
  [
    (m) => m.with('spec.runPolicy.suspend', 'yes'),
    'spec.runPolicy.suspend: expected true or false, got "yes"',
  ],
  [
    (m) => m.with('spec.runPolicy.managedBy', 'kueue.x-k8s.io/multikueue'),
    'spec.runPolicy.managedBy: expected kubeflow.org/training-operator, signalbox.dev/bridge, or no value: another controller manages the job, got "kueue.x-k8s.io/multikueue"',
  ],
  [
    (m) => m.with('spec.runPolicy.schedulingPolicy.minAvailable', 0),
    'spec.runPolicy.schedulingPolicy.minAvailable: expected an integer >= 1, got 0',
  ],
  [
    (m) => m.with('spec.runPolicy.schedulingPolicy.minResources', { cpu: true }),
    'spec.runPolicy.schedulingPolicy.minResources.cpu: expected a quantity >= 0, e.g. 4, 500m or 8Gi, got true',
  ],
];

const NPROC = 'spec.nprocPerNode: expected auto, cpu, gpu, xpu, npu, hpu, mtia, or a number >= 1';
const BOUNDS =
  'spec.elasticPolicy: expected minReplicas <= Worker.replicas <= maxReplicas (an unset bound equals the other one)';

const pytorch: Table = [
  [(m) => m.with('spec.nprocPerNode', 0), `${NPROC}, got 0`],
  [(m) => m.with('spec.nprocPerNode', '04'), `${NPROC}, got "04"`],
  [(m) => m.with('spec.nprocPerNode', 'atuo'), `${NPROC}, got "atuo"`],
  [(m) => m.with('spec.elasticPolicy', { minReplicas: 3, maxReplicas: 4 }), `${BOUNDS}, got 3, 2, 4`],
  [(m) => m.with('spec.elasticPolicy', { maxReplicas: 4 }), `${BOUNDS}, got 4, 2, 4`],
  [
    (m) => m.with('spec.elasticPolicy.minReplicas', 0),
    'spec.elasticPolicy.minReplicas: expected an integer >= 1, got 0',
  ],
  [
    (m) => m.with('spec.elasticPolicy.rdzvConf', { timeout: '900' }),
    'spec.elasticPolicy.rdzvConf: expected a list, got an object',
  ],
  [
    (m) => m.with('spec.elasticPolicy.rdzvPort', 0),
    'spec.elasticPolicy.rdzvPort: expected an integer >= 1, got 0',
  ],
  [
    (m) => m.with('spec.elasticPolicy.nProcPerNode', 2).with('spec.nprocPerNode', 2),
    'spec.elasticPolicy.nProcPerNode: expected no value when spec.nprocPerNode is set, got 2',
  ],
  [
    (m) => m.with('spec.elasticPolicy', {}).role('Worker', '', undefined),
    `${SPECS}.Worker: expected a value when elasticPolicy is set, got nothing`,
  ],
];

describe.each([
  ['what it is', whatItIs],
  ['its roles', roles],
  ['its pods', pods],
  ['its policies', policies],
  ['what only a PyTorchJob has', pytorch],
] as const)('a manifest with one fault in %s', (_, table) => {
  it.each(table.map(([change, fault]) => [fault, change] as const))('is refused: %s', (fault, change) => {
    expect(change(aManifest()).faults()).toEqual([fault]);
  });
});

describe('faults', () => {
  it('are reported together', () => {
    const manifest = aManifest()
      .with('metadata.name', 'R')
      .with('spec.runPolicy.backoffLimit', -1)
      .role('Master', 'replicas', 2)
      .role('Worker', 'restartPolicy', 'Maybe');
    expect(manifest.faults().map((fault) => fault.split(':')[0])).toEqual([
      'metadata.name',
      'spec.runPolicy.backoffLimit',
      `${SPECS}.Master.replicas`,
      `${SPECS}.Worker.restartPolicy`,
    ]);
  });

  it.each([
    [null, 'null'],
    ['yaml', '"yaml"'],
    [[{}], 'a list of 1'],
    [undefined, 'nothing'],
  ])('say that it is no manifest: %j', (manifest, got) => {
    const parsed = parseManifest(manifest, { namespace: 'ml' });
    const faults = 'faults' in parsed ? parsed.faults.map(formatFault) : [];
    expect(faults).toEqual([`manifest: expected one object, got ${got}`]);
  });

  it('show long values truncated', () => {
    const [fault] = aManifest()
      .with('metadata.name', `X${'x'.repeat(200)}`)
      .faults();
    expect(fault!.length).toBeLessThan(200);
  });
});

describe('a misspelt role', () => {
  const faultsIn = (manifest: ManifestBuilder): string[] => {
    const parsed = parseManifest(manifest.build(), { namespace: 'ml', strict: true });
    return 'faults' in parsed ? parsed.faults.map(formatFault) : [];
  };

  it('is named, and the faults in it are those of the role that was meant', () => {
    const role = aRole({ replicas: 2 }, aContainer({ image: '', imag: 'train:1' }));
    expect(faultsIn(aManifest().role('Mastr', '', role))).toEqual([
      `${SPECS}.Mastr: expected one of Master, Worker (did you mean Master?), got "Mastr"`,
      `${SPECS}.Mastr.template.spec.containers[0].image: expected the name of an image, e.g. registry.example/team/train:1.0, got ""`,
      expect.stringMatching(/Mastr\.template\.spec\.containers\[0\]\.imag: .*did you mean image/),
    ]);
  });

  it('has the limits of the role that was meant', () => {
    expect(faultsIn(aManifest().role('Mastr', '', aRole({ replicas: 2 })))).toContain(
      `${SPECS}.Mastr.replicas: expected exactly 1, got 2`,
    );
  });

  it('has faults also if no role resembles it', () => {
    expect(faultsIn(aManifest().role('Launcher', '', aRole({ replicas: 'two' })))).toContain(
      `${SPECS}.Launcher.replicas: expected an integer, got "two"`,
    );
  });
});
