import { parseManifest } from '../../frameworks/manifest/parse-manifest.ts';
import { renderAttempt } from '../../resources/attempt.ts';
import { type Spread, spreadOf } from './spread.ts';

/**
 * `npm run bench:render`: how long it takes from a manifest of 1,000 replicas to all of its objects, for each kind. Nothing
 * is asked of any server.
 */

const REPLICAS = 1_000;
const RUNS = 15;
const TARGET_MS = 300;

const template = { spec: { containers: [{ name: 'train', image: 'registry.example/train:1' }] } };
const role = (replicas: number) => ({ replicas, template });

const SPECS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  'kubeflow.org/v1 PyTorchJob': {
    pytorchReplicaSpecs: { Master: role(1), Worker: role(REPLICAS - 1) },
  },
  'kubeflow.org/v1 TFJob': {
    tfReplicaSpecs: { Chief: role(1), PS: role(99), Worker: role(REPLICAS - 100) },
  },
  'kubeflow.org/v1 XGBoostJob': { xgbReplicaSpecs: { Master: role(1), Worker: role(REPLICAS - 1) } },
  'kubeflow.org/v1 PaddleJob': { paddleReplicaSpecs: { Worker: role(REPLICAS) } },
  'kubeflow.org/v1 JAXJob': { jaxReplicaSpecs: { Worker: role(REPLICAS) } },
  'kubeflow.org/v1 MPIJob': { mpiReplicaSpecs: { Launcher: role(1), Worker: role(REPLICAS - 1) } },
  'kubeflow.org/v2beta1 MPIJob': { mpiReplicaSpecs: { Launcher: role(1), Worker: role(REPLICAS - 1) } },
  'batch.paddlepaddle.org/v1 PaddleJob': { ps: role(100), worker: role(REPLICAS - 100) },
};

function measure(title: string, spec: object): Spread {
  const [apiVersion, kind] = title.split(' ');
  const manifest = { apiVersion, kind, metadata: { name: 'large' }, spec };
  return spreadOf(Array.from({ length: RUNS }, () => timeOf(() => render(manifest))));
}

/** As text, as it is sent. */
function render(manifest: object): void {
  const parsed = parseManifest(manifest, { namespace: 'ml' });
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults));
  const objects = renderAttempt(
    parsed.job,
    { number: 1, anchorUid: 'uid' },
    { gang: 'volcano', asGang: true },
  );
  if (objects.pods.length !== REPLICAS) throw new Error(`rendered ${objects.pods.length} pods`);
  JSON.stringify(objects);
}

function timeOf(work: () => void): number {
  const begin = performance.now();
  work();
  return performance.now() - begin;
}

const inMs = (milliseconds: number) => `${milliseconds.toFixed(0)} ms`;

for (const [kind, spec] of Object.entries(SPECS)) {
  const { median, min, max } = measure(kind, spec);
  const verdict = median < TARGET_MS ? '' : `  more than ${TARGET_MS} ms`;
  console.log(`${kind.padEnd(36)} ${inMs(median)} (${inMs(min)} to ${inMs(max)})${verdict}`);
}
