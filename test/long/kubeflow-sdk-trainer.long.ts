import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { resetSandbox } from '@signalbox/sandbox';
import { shippedObjects } from '../../client/manifests/offline/definitions.ts';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import { findPython, PythonEnvironment, SET_UP_MS } from '../python/environment.ts';
import { type BridgedStage, openBridgedStage } from '../scenarios/bridged-stage.ts';
import { standInForImages } from './kubeflow-images.ts';
import { freshSandbox, LONG_SANDBOX_DIR } from './sandbox.ts';

/**
 * Kubeflow's SDK for TrainJobs, unchanged, from its wheel, where there is no Kubeflow Trainer. The local node runs the functions that
 * it sends as they are, in Python, and a program of this checkout for other images.
 */

const SANDBOX_DIR = `${LONG_SANDBOX_DIR}-kubeflow-sdk-trainer`;
const CALLS = fileURLToPath(new URL('kubeflow-trainer-calls.py', import.meta.url));
const ALL_MS = 900_000;

const python = await findPython();
if (!python) console.warn('Skipped Kubeflow’s SDK for TrainJobs: this machine has no Python 3.10 or later.');

let on: BridgedStage;
let environment: PythonEnvironment;
let folder: string;

(python ? describe : describe.skip)('the TrainerClient of Kubeflow’s SDK', () => {
  beforeAll(async () => {
    const requirements = 'requirements-kubeflow-trainer.txt';
    environment = await PythonEnvironment.ensure(python!, '.venv-kubeflow-trainer', requirements);
    folder = await mkdtemp(join(tmpdir(), 'signalbox-kubeflow-'));
    const options = { dir: SANDBOX_DIR, durable: false, localNode: true, simulatedNodes: 0 };
    on = await openBridgedStage({}, { sandbox: await freshSandbox(options) });
    await standInForImages(on);
    await on.kubectl.apply(runtimes());
  }, SET_UP_MS);

  afterAll(async () => {
    await on?.close();
    await resetSandbox(SANDBOX_DIR);
    await rm(folder, { recursive: true, force: true });
  });

  it(
    'trains, lists, waits, reads logs and events, and deletes',
    async () => {
      const { namespace, sandbox } = on.stage;
      const { code, output } = await environment.run([CALLS, namespace], {
        KUBECONFIG: sandbox.kubeconfig,
      });
      if (code !== 0) throw new Error(output);
      expect(output.split('\n').filter((line) => line.startsWith('HELD '))).toEqual([
        'HELD list_runtimes, get_runtime',
        'HELD train, wait_for_job_status Running',
        'HELD wait_for_job_status Complete',
        'HELD get_job_logs',
        'HELD get_job_events',
        'HELD runtime patches',
        'HELD list_jobs, delete_job',
        'HELD CustomTrainerContainer',
        'HELD a program that fails',
        'HELD BuiltinTrainer',
      ]);
    },
    ALL_MS,
  );
});

type Fields = Readonly<Record<string, unknown>>;

/** The image of the runtime that signalbox comes with; a stand-in has its programs. */
const IMAGE = 'pytorch/pytorch:2.13.0-cuda13.0-cudnn9-runtime';

/** The one that comes with signalbox, in a folder to write to; one that restarts nothing; and one for torchtune, without initializers. */
const runtimes = (): readonly KubeObject[] => [
  { ...shippedTorch(), spec: specOf({ workingDir: folder }) } as KubeObject,
  ofNamespace(
    'strict',
    'torch',
    specOf({ workingDir: folder }, { backoffLimit: 0 }, { restartPolicy: 'Never' }),
  ),
  ofNamespace(
    'torchtune-llama3.2-1b',
    'torchtune',
    specOf({ command: ['tune', 'run', '--config', 'llama3_2/1B_full', 'output_dir=/workspace/output'] }),
  ),
];

const shippedTorch = (): KubeObject =>
  shippedObjects().find(({ metadata }) => metadata.name === 'torch-distributed')!;

function ofNamespace(name: string, framework: string, spec: Fields): KubeObject {
  const labels = { 'trainer.kubeflow.org/framework': framework };
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainingRuntime',
    metadata: { name, namespace: on.stage.namespace, labels },
    spec,
  } as KubeObject;
}

const specOf = (container: Fields, job: Fields = {}, pod: Fields = {}): Fields => ({
  mlPolicy: { numNodes: 1, torch: {} },
  template: {
    spec: {
      replicatedJobs: [
        {
          name: 'node',
          template: {
            metadata: { labels: { 'trainer.kubeflow.org/trainjob-ancestor-step': 'trainer' } },
            spec: {
              ...job,
              template: { spec: { ...pod, containers: [{ name: 'node', image: IMAGE, ...container }] } },
            },
          },
        },
      ],
    },
  },
});
