import { beforeAll, describe, expect, test } from '@jest/globals';
import { InvalidManifestError } from '../../client/errors/errors.ts';
import * as builders from '../../client/manifests/builders/builders.ts';
import { findPython, PythonEnvironment, SET_UP_MS } from './environment.ts';

/** The builders of Python make the manifests that those of TypeScript make. */

const {
  jaxJob,
  mpiJob,
  mpiJobV2,
  paddleJob,
  paddleOperatorJob,
  pytorchJob,
  tfJob,
  trainJob,
  volcanoJob,
  xgboostJob,
} = builders;
const KINDS = Object.entries(builders);

const pods = { name: 'mine', image: 'train:1', nodes: 3 };
const all = {
  ...pods,
  ...{ namespace: 'ml', command: ['train'], args: ['--now'], env: { A: 'b' }, gpusPerNode: 8, cpu: 4 },
  ...{ memory: '64Gi', shm: '16Gi', volumes: { data: '/data' }, nodeSelector: { zone: 'a' } },
  ...{ labels: { team: 'vision' }, annotations: { note: 'ü' }, gang: 'native' as const },
  policy: { progress: { log: 'step=.*', stalledAfter: '10m' } },
} as const;
const run = {
  ...{ backoffLimit: 3, deadlineSeconds: 60, ttlSeconds: 0, cleanPodPolicy: 'All' as const, suspend: true },
} as const;
const job = { ...all, ...run, restartPolicy: 'OnFailure' } as const;

const CASES: readonly (readonly [string, object, object])[] = [
  ['pytorch_job', pods, pytorchJob(pods)],
  ...one('pytorch_job', pytorchJob, { ...job, processesPerNode: 'auto' as const }),
  ...one('pytorch_job', pytorchJob, { ...pods, elastic: { minNodes: 1, maxNodes: 4, maxRestarts: 2 } }),
  ...one('pytorch_job', pytorchJob, {
    ...pods,
    policy: { restart: { ladder: [{ scope: 'gang' as const }] } },
  }),
  ...one('pytorch_job', pytorchJob, { ...pods, backoffLimit: 2 }),
  ...one('mpi_job', mpiJob, pods),
  ...one('mpi_job_v2', mpiJobV2, pods),
  ...one('mpi_job_v2', mpiJobV2, { ...pods, backoffLimit: 2 }),
  ...one('paddle_operator_job', paddleOperatorJob, pods),
  ...one('tf_job', tfJob, {
    ...job,
    parameterServers: 2,
    evaluators: 1,
    successPolicy: 'AllWorkers' as const,
  }),
  ...one('tf_job', tfJob, { ...pods, nodes: 1 }),
  ...one('xgboost_job', xgboostJob, job),
  ...one('jax_job', jaxJob, job),
  ...one('paddle_job', paddleJob, { ...job, parameterServers: 1 }),
  ...one('mpi_job', mpiJob, { ...job, processesPerNode: 8, workerCommand: ['sshd'] }),
  ...one('mpi_job_v2', mpiJobV2, {
    ...job,
    ...{ implementation: 'Intel' as const, sshAuthMountPath: '/ssh', waitForWorkers: true },
  }),
  ...one('paddle_operator_job', paddleOperatorJob, {
    ...all,
    ...{ parameterServers: 2, intranet: 'Service' as const, cleanPodPolicy: 'Always' as const },
  }),
  ...one('train_job', trainJob, pods),
  ...one('train_job', trainJob, {
    ...all,
    ...{ runtime: 'own', runtimeKind: 'TrainingRuntime' as const, processesPerNode: 8, suspend: true },
    ...{ dataset: 'hf://org/data', model: 'hf://org/model', deadlineSeconds: 60 },
  }),
  ...one('volcano_job', volcanoJob, pods),
  ...one('volcano_job', volcanoJob, {
    ...{ ...all, restartPolicy: 'OnFailure' as const, queue: 'research', priorityClass: 'high' },
    ...{ plugins: { pytorch: ['--port=5000'], svc: [] }, restarts: 2, minAvailable: 2, ttlSeconds: 60 },
  }),
];

/** Options that are wrong, of every rule, and one that no builder has. */
const WRONG = {
  ...{
    name: 'A b',
    namespace: 7,
    image: '',
    command: 'train',
    args: [1],
    env: { A: 1 },
    cpu: '1cpu',
    memory: 0,
  },
  ...{
    gpusPerNode: -1,
    gpuResource: '',
    shm: '',
    volumes: { data: 'data' },
    nodeSelector: 'a',
    labels: { a: 1 },
  },
  ...{
    annotations: [],
    policy: 'x',
    gang: 'yunikorn',
    restartPolicy: 'Sometimes',
    backoffLimit: 1.5,
    suspend: 1,
  },
  ...{
    deadlineSeconds: 0,
    ttlSeconds: -1,
    cleanPodPolicy: 'Some',
    nodes: 0,
    processesPerNode: 'all',
    gpus: 8,
  },
  ...{
    parameterServers: -1,
    evaluators: true,
    successPolicy: 'None',
    workerCommand: 'sshd',
    implementation: 'LAM',
  },
  ...{
    sshAuthMountPath: '',
    waitForWorkers: 'yes',
    intranet: 'None',
    plugins: { svc: '' },
    elastic: { minNodes: 4, maxNodes: 2 },
  },
};

function one<T extends object>(name: string, build: (options: T) => object, options: T) {
  return [[name, options, build(options)] as const];
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Only the options themselves are words of the builders. */
const optionsInPython = (options: object): object =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      snakeCase(name),
      name === 'elastic' ? optionsInPython(value) : value,
    ]),
  );

const PROGRAM = `
import json, sys, signalbox

def built(name, options):
    try:
        return getattr(signalbox, name)(**options)
    except signalbox.InvalidManifestError as error:
        return [error.remedy, *([fault.path, fault.expected] for fault in error.faults)]

print(json.dumps([built(name, options) for name, options in json.loads(sys.argv[1])]))
`;

/** Returns what a builder says about options, as that of Python does. */
function faultsInPython(build: (options: never) => object, options: object): readonly unknown[] {
  try {
    build(options as never);
  } catch (error) {
    if (!(error instanceof InvalidManifestError)) throw error;
    const inPython = (text: string) =>
      text
        .replaceAll(/\b[a-z]+[A-Z]\w*/g, snakeCase)
        .replace(/^an object/, 'a mapping')
        .replace('true or false', 'True or False');
    const faults = error.faults.map(({ path, expected }) => [snakeCase(path), inPython(expected)]);
    return [error.remedy, ...faults];
  }
  throw new Error('expected faults');
}

const python = await findPython();

(python ? describe : describe.skip)('the builders of Python', () => {
  let built: readonly object[];

  beforeAll(async () => {
    const environment = await PythonEnvironment.ensure(python!);
    const wrong = KINDS.map(([name]) => [snakeCase(name), WRONG] as const);
    const calls = [...CASES, ...wrong].map(([name, options]) => [name, optionsInPython(options)]);
    const { code, output } = await environment.run(['-c', PROGRAM, JSON.stringify(calls)], {
      PYTHONPATH: 'src',
    });
    if (code !== 0) throw new Error(output);
    built = JSON.parse(output) as readonly object[];
  }, SET_UP_MS);

  test.each(CASES.map(([name, options, expected], index) => [name, index, options, expected] as const))(
    '%s, case %i',
    (_name, index, _options, expected) => {
      expect(built[index]).toEqual(expected);
    },
  );

  test.each(KINDS.map(([name, build], index) => [name, build, index] as const))(
    '%s says what is wrong with each option',
    (_name, build, index) => {
      expect(built[CASES.length + index]).toEqual(faultsInPython(build, WRONG));
    },
  );
});
