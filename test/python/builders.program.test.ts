import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  jaxJob,
  mpiJob,
  mpiJobV2,
  paddleJob,
  paddleOperatorJob,
  pytorchJob,
  tfJob,
  xgboostJob,
} from '../../client/manifests/builders/builders.ts';
import { findPython, PythonEnvironment, SET_UP_MS } from './environment.ts';

/** The builders of Python make the manifests that those of TypeScript make. */

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
];

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
print(json.dumps([getattr(signalbox, name)(**options) for name, options in json.loads(sys.argv[1])]))
`;

const python = await findPython();

(python ? describe : describe.skip)('the builders of Python', () => {
  let built: readonly object[];

  beforeAll(async () => {
    const environment = await PythonEnvironment.ensure(python!);
    const calls = CASES.map(([name, options]) => [name, optionsInPython(options)]);
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
});
