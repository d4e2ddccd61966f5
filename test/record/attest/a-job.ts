import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { LedgerEntry, RecordedPod } from '../../../contracts/types.ts';
import type { AttestedJob } from '../../../record/attest/attested-job.ts';

/** A job to attest: two attempts, one amendment, three images. */

export const TRAIN_DIGEST = 'a'.repeat(64);
export const MODEL_DIGEST = 'b'.repeat(64);
export const INPUT_DIGEST = 'd'.repeat(64);

const MANIFEST = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'PyTorchJob',
  metadata: {
    name: 'train',
    namespace: 'ml',
    annotations: {
      'signalbox.dev/policy': 'restart: {ladder: [{scope: gang}]}',
      'signalbox.dev/inputs': `- {name: corpus, uri: "s3://data/corpus", digest: "sha256:${INPUT_DIGEST}"}\n- {name: base, uri: "hf://org/base"}`,
      'signalbox.dev/outputs': `- {name: model, uri: "s3://models/train"}\n- {name: tokens, digest: "sha256:${MODEL_DIGEST}"}`,
    },
  },
  spec: { pytorchReplicaSpecs: {} },
};

const entry = (seq: number, others: Partial<LedgerEntry>): LedgerEntry => ({
  seq,
  at: `2026-11-21T15:0${seq}:00.000Z`,
  attempt: 1,
  to: 'Running',
  phase: 'Running',
  cause: { type: 'digest' },
  message: 'something new',
  revision: 1,
  ...others,
});

const ENTRIES: readonly LedgerEntry[] = [
  entry(1, { attempt: 0, cause: { type: 'submitted', who: { given: 'ana' } } }),
  entry(2, {}),
  entry(3, { cause: scaled(4, 'the job is not elastic') }),
  entry(4, { cause: scaled(2) }),
  entry(5, { attempt: 2, restarts: 1, revision: 2 }),
  entry(6, { attempt: 2, phase: 'Completed', to: 'Completed', message: 'the master has succeeded' }),
];

function scaled(replicas: number, refused?: string): LedgerEntry['cause'] {
  const asked = { role: 'Worker', replicas };
  const request = { type: 'request', request: 'scale', through: 'update', who: { given: 'ben' } } as const;
  return { ...request, asked, ...(refused ? { refused } : { why: 'fewer nodes', madeRevision: 2 }) };
}

const pod = (index: number, attempt: number, node: string): RecordedPod => ({
  pod: `train-worker-${index}`,
  uid: `${attempt}-${index}`,
  role: 'worker',
  index,
  attempt,
  node,
  phase: 'Succeeded',
  createdAt: '2026-11-21T15:01:00Z',
  containers: [
    { name: 'fetch', isInit: true, image: 'curl:8', imageID: `sha256:${'c'.repeat(64)}`, restarts: 0 },
    {
      name: 'pytorch',
      image: 'registry.example/train:v1',
      imageID: `registry.example/train@sha256:${TRAIN_DIGEST}`,
      restarts: 0,
      exitCode: 0,
    },
    { name: 'sidecar', image: 'logs:2', restarts: 0 },
  ],
});

export const A_JOB: AttestedJob = {
  workflowId: 'job/ml/train',
  firstRunId: '1f3d',
  namespace: 'ml',
  name: 'train',
  manifest: MANIFEST,
  entries: ENTRIES,
  pods: [pod(0, 1, 'gpu-2'), pod(1, 1, 'gpu-1'), pod(0, 2, 'gpu-2')],
  readFrom: 'localhost:7233',
};

interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** A fresh pair of keys of each type that can sign. */
export const KEY_PAIRS: Readonly<Record<'Ed25519' | 'ECDSA P-256', KeyPair>> = {
  Ed25519: generateKeyPairSync('ed25519'),
  'ECDSA P-256': generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
};

export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');
