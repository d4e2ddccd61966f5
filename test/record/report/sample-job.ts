import type { EvidenceRecord, LedgerEntry, LedgerPod, RecordedPod } from '../../../contracts/types.ts';
import type { ReportData } from '../../../record/report/report-data.ts';

/**
 * A job with a story: it waits for room, a worker loses its GPU, somebody scales it, and a rank runs out of memory. The
 * pictures of docs/history.md#a-report-to-send show it.
 */

const START = Date.parse('2026-11-21T09:02:11.340Z');
const at = (minutes: number) => new Date(START + minutes * 60_000).toISOString();

const WORKERS = 8;
const counts = (scheduled: number, ready: number, failed = 0) => ({
  Worker: { wanted: WORKERS, unscheduled: WORKERS - scheduled - ready - failed, scheduled, ready, failed },
  Master: { wanted: 1, unscheduled: ready > 0 || scheduled > 0 ? 0 : 1, ready: ready > 0 ? 1 : 0 },
});

const lost: LedgerPod = {
  ...{ pod: 'resnet-worker-5', uid: 'uid-1-worker-5', role: 'worker', node: 'gpu-07', container: 'pytorch' },
  ...{ exitCode: 1, reason: 'Error' },
};
const killed: LedgerPod = {
  ...{ pod: 'resnet-worker-2', uid: 'uid-2-worker-2', role: 'worker', node: 'gpu-03', container: 'pytorch' },
  ...{ exitCode: 137, signal: 9, reason: 'OOMKilled' },
};

type StoryEntry = Omit<LedgerEntry, 'seq' | 'at' | 'revision'> & {
  readonly minutes: number;
  readonly revision?: number;
};

const ANA = { given: 'ana', authenticated: { type: 'jwt', name: 'ana@example.com' } } as const;
const CLASS_RULE = 'failures.rules[0]: class hardware';

const STORY: readonly StoryEntry[] = [
  {
    ...{ minutes: 0, attempt: 1, to: 'Pending.Admission', phase: 'Pending' },
    cause: {
      type: 'submitted',
      who: ANA,
      why: 'baseline with the cleaned data, before the review on Monday',
    },
    message: 'ana submitted the job.',
  },
  {
    ...{ minutes: 0.03, attempt: 1, from: 'Pending.Admission', to: 'Pending.Scheduling', phase: 'Pending' },
    ...{ cause: { type: 'effect', effect: 'createAttempt', ended: 'done', began: 1, ms: 640 } },
    ...{ message: 'The pods of attempt 1 were created.', reason: 'WaitingForGang', counts: counts(0, 0) },
    effects: [{ effect: 'createAttempt', what: { attempt: 1 } }],
  },
  {
    ...{ minutes: 0.4, attempt: 1, from: 'Pending.Scheduling', to: 'Pending.Scheduling', phase: 'Pending' },
    ...{ cause: { type: 'digest' }, reason: 'WaitingForGang', counts: counts(0, 0) },
    message:
      'The gang needs 9 nodes with 8 GPUs each; 6 are free: 0/14 nodes are available: 8 Insufficient nvidia.com/gpu.',
  },
  {
    ...{ minutes: 21, attempt: 1, from: 'Pending.Scheduling', to: 'Starting', phase: 'Starting' },
    ...{ cause: { type: 'digest' }, reason: 'ContainersNotReady', counts: counts(8, 0) },
    message: 'All 9 pods have a node; resnet-worker-5 pulls its image.',
  },
  {
    ...{ minutes: 25.5, attempt: 1, from: 'Starting', to: 'Running', phase: 'Running' },
    ...{ cause: { type: 'digest' }, counts: counts(0, 8), message: 'All 9 pods are ready.' },
  },
  {
    ...{ minutes: 96, attempt: 1, from: 'Running', to: 'Restarting.Evidence', phase: 'Restarting' },
    ...{ cause: { type: 'digest' }, reason: 'PodFailed', counts: counts(0, 7, 1), pods: [lost] },
    ...{ rule: CLASS_RULE, nodes: ['gpu-07'], budgets: { hardware: { used: 1, allowed: 3 } }, restarts: 1 },
    message:
      'resnet-worker-5 failed on gpu-07 with exit code 1: the gang restarts and avoids gpu-07 for two hours.',
    effects: [{ effect: 'captureEvidence', what: { pods: ['resnet-worker-5'] } }],
  },
  {
    ...{ minutes: 96.1, attempt: 1, from: 'Restarting.Evidence', to: 'Restarting.Deleting' },
    ...{ phase: 'Restarting', message: 'Evidence of resnet-worker-5 was stored.', reason: 'PodFailed' },
    cause: { type: 'effect', effect: 'captureEvidence', ended: 'done', began: 6, ms: 820 },
    evidence: ['s3://evidence/ml/resnet/048561b2/1/resnet-worker-5-uid-1-worker-5.json'],
  },
  {
    ...{ minutes: 97, attempt: 2, from: 'Restarting.Deleting', to: 'Pending.Scheduling', phase: 'Pending' },
    ...{ cause: { type: 'effect', effect: 'deletePods', ended: 'done', began: 6, ms: 41_000 } },
    ...{ reason: 'WaitingForGang', counts: counts(0, 0), restarts: 1 },
    message: 'The pods of attempt 1 are gone; attempt 2 begins.',
  },
  {
    ...{ minutes: 101, attempt: 2, from: 'Pending.Scheduling', to: 'Starting', phase: 'Starting' },
    ...{ cause: { type: 'digest' }, reason: 'ContainersNotReady', counts: counts(8, 0) },
    message: 'All 9 pods have a node.',
  },
  {
    ...{ minutes: 102.5, attempt: 2, from: 'Starting', to: 'Running', phase: 'Running' },
    ...{ cause: { type: 'digest' }, counts: counts(0, 8), message: 'All 9 pods are ready.' },
  },
  {
    ...{ minutes: 140, attempt: 2, from: 'Running', to: 'Running', phase: 'Running' },
    message: 'Refused: a PyTorchJob that is not elastic cannot change its size while it runs.',
    cause: {
      ...{ type: 'request', request: 'scale', through: 'update', who: { given: 'bo' } },
      ...{ why: 'more nodes are free', asked: { role: 'Worker', replicas: 12 } },
      refused: 'a PyTorchJob that is not elastic cannot change its size while it runs',
    },
  },
  {
    ...{ minutes: 150, attempt: 2, from: 'Running', to: 'Running', phase: 'Running', revision: 2 },
    message: 'The policy is amended: memory failures may restart the gang twice.',
    cause: {
      ...{ type: 'request', request: 'amendPolicy', through: 'update', who: ANA },
      why: 'rank 2 is close to its limit',
    },
  },
  {
    ...{ minutes: 187, attempt: 2, from: 'Running', to: 'Restarting.Evidence', phase: 'Restarting' },
    ...{ cause: { type: 'digest' }, reason: 'PodFailed', counts: counts(0, 7, 1), pods: [killed] },
    ...{ rule: 'failures.classes.memory.budget: 2', restarts: 2, revision: 2 },
    budgets: { hardware: { used: 1, allowed: 3 }, memory: { used: 1, allowed: 2 } },
    message: 'resnet-worker-2 was killed for its memory on gpu-03: the gang restarts after a back-off of 1m.',
  },
  {
    ...{ minutes: 188, attempt: 2, from: 'Restarting.Evidence', to: 'Restarting.BackOff', revision: 2 },
    ...{ phase: 'Restarting', reason: 'RestartingGang', message: 'The next restart waits until 12:11:21.' },
    cause: { type: 'effect', effect: 'deletePods', ended: 'done', began: 13, ms: 38_000 },
  },
  {
    ...{ minutes: 189, attempt: 3, from: 'Restarting.BackOff', to: 'Pending.Scheduling', phase: 'Pending' },
    ...{ cause: { type: 'timer', timer: 'backOff' }, reason: 'WaitingForGang', counts: counts(0, 0) },
    ...{ message: 'The back-off is over; attempt 3 begins.', restarts: 2, revision: 2 },
  },
  {
    ...{ minutes: 193, attempt: 3, from: 'Pending.Scheduling', to: 'Running', phase: 'Running', revision: 2 },
    ...{ cause: { type: 'digest' }, counts: counts(0, 8), message: 'All 9 pods are ready.' },
  },
  {
    ...{ minutes: 312, attempt: 3, from: 'Running', to: 'Completed', phase: 'Completed', revision: 2 },
    ...{ cause: { type: 'digest' }, message: 'resnet-master-0 has succeeded.', restarts: 2 },
    rule: 'success: every replica of Master',
  },
] as unknown as readonly StoryEntry[];

const ENTRIES: readonly LedgerEntry[] = STORY.map(({ minutes, ...entry }, index) => ({
  ...{ revision: 1, seq: index + 1, at: at(minutes) },
  ...entry,
}));

interface Times {
  readonly attempt: number;
  readonly created: number;
  readonly placed: number;
  readonly ready: number;
  readonly ended: number;
}

const ATTEMPTS: readonly Times[] = [
  { attempt: 1, created: 0.03, placed: 20.6, ready: 24, ended: 96.6 },
  { attempt: 2, created: 97, placed: 100.8, ready: 102, ended: 187.6 },
  { attempt: 3, created: 189, placed: 190.5, ready: 192, ended: 312 },
];

function podOf({ attempt, created, placed, ready, ended }: Times, role: string, index: number): RecordedPod {
  const pod = `resnet-${role}-${index}`;
  const uid = `uid-${attempt}-${role}-${index}`;
  const failure = [lost, killed].find((one) => one.uid === uid);
  const isSlow = attempt === 1 && index === 5;
  const end = at(failure ? ended - 0.7 : ended);
  const startedAt = at(ready + index * 0.08 + (isSlow ? 1.2 : 0));
  const isDone = attempt === 3;
  return {
    ...{
      pod,
      uid,
      role,
      index,
      attempt,
      node: `gpu-${String(index + (role === 'master' ? 12 : 1)).padStart(2, '0')}`,
    },
    ...{ phase: failure ? 'Failed' : isDone ? 'Succeeded' : 'Running', createdAt: at(created) },
    ...{ scheduledAt: at(placed + index * 0.02), startedAt, readyAt: startedAt, endedAt: end },
    ...(failure?.node ? { node: failure.node } : {}),
    containers: [
      {
        ...{ name: 'pytorch', image: 'registry.example/train:7', restarts: 0, startedAt, endedAt: end },
        ...{ exitCode: failure?.exitCode ?? 0, reason: failure?.reason },
      },
    ],
  };
}

const PODS = ATTEMPTS.flatMap((times) => [
  podOf(times, 'master', 0),
  ...Array.from({ length: WORKERS }, (_, index) => podOf(times, 'worker', index)),
]);

const recordOf = (
  failure: LedgerPod,
  more: Partial<EvidenceRecord> & {
    readonly minutes: number;
    readonly lines: readonly string[];
    readonly attempt: number;
  },
): EvidenceRecord => {
  const { minutes, lines, attempt, ...rest } = more;
  const { pod, uid = '', container = '', exitCode = 0, reason, node } = failure;
  return {
    ...{ version: 1, job: { kind: 'PyTorchJob', namespace: 'ml', name: 'resnet' }, anchorUid: '048561b2' },
    summary: {
      ...{ pod, uid, role: 'worker', index: Number(pod.at(-1)), attempt, node, container, exitCode, reason },
      ...{ takenAt: at(minutes), ref: `s3://evidence/ml/resnet/048561b2/${attempt}/${pod}-${uid}.json` },
    },
    ...{ failedAt: at(minutes), pod: { phase: 'Failed', conditions: [] } },
    containers: [
      {
        ...{ name: container, image: 'registry.example/train:7', restarts: 0, log: { lines, isCut: true } },
        state: { terminated: { exitCode, reason, finishedAt: at(minutes) } },
      },
    ],
    events: [
      {
        type: 'Normal',
        reason: 'Scheduled',
        message: `Successfully assigned ml/${pod} to ${node}`,
        lastAt: at(minutes - 75),
      },
      {
        type: 'Normal',
        reason: 'Pulled',
        message: 'Container image "registry.example/train:7" already present',
        lastAt: at(minutes - 74),
      },
    ],
    ...rest,
  };
};

const EVIDENCE: readonly EvidenceRecord[] = [
  recordOf(killed, {
    ...{ minutes: 187, attempt: 2 },
    lines: [
      '[rank2] step 41200 loss 1.882 (412 ms)',
      '[rank2] step 41210 loss 1.879 (415 ms)',
      '[rank2] loading shard 0231 into host memory',
    ],
  }),
  recordOf(lost, {
    ...{ minutes: 95.9, attempt: 1 },
    lines: [
      '[rank5] step 19870 loss 2.341 (409 ms)',
      '[rank5] step 19880 loss 2.337 (408 ms)',
      '\u001b[31mTraceback (most recent call last):\u001b[0m',
      '  File "/app/train.py", line 214, in <module>',
      '    loss.backward()',
      'torch.AcceleratorError: CUDA error: an illegal memory access was encountered',
      'CUDA kernel errors might be asynchronously reported at some other API call.',
    ],
    node: {
      name: 'gpu-07',
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'GpuUnhealthy', status: 'True', reason: 'Xid79', message: 'GPU 3 has fallen off the bus' },
      ],
      taints: [{ key: 'nvidia.com/gpu', value: 'broken', effect: 'NoSchedule' }],
      unschedulable: false,
    },
  }),
];

const template = {
  spec: {
    containers: [
      {
        name: 'pytorch',
        image: 'registry.example/train:7',
        command: ['torchrun', 'train.py'],
        env: [
          { name: 'DATA', value: 's3://data/cleaned' },
          { name: 'HF_TOKEN', value: 'hf_not-for-everybody' },
        ],
        resources: { limits: { 'nvidia.com/gpu': 8, memory: '960Gi' } },
      },
    ],
  },
};
const POLICY = `restart:
  ladder: [{ scope: gangElsewhere }]
failures:
  rules:
    - class: hardware
      pattern: CUDA error
    - class: memory
      reasons: [OOMKilled]
  classes:
    hardware: { budget: 3 }
    memory: { final: true }
`;
const AMENDED = POLICY.replace('memory: { final: true }', 'memory: { budget: 2 }');

/** The data of the sample job's report. */
export const SAMPLE: ReportData = {
  workflowId: 'job/ml/resnet',
  firstRunId: '01a20857-3dec-7ad9-b2f0-5a8c2f1f0d11',
  readFrom: 's3://archive/jobs/namespace=ml/day=2026-11-21/resnet-01a20857-3dec-7ad9-b2f0-5a8c2f1f0d11',
  asOf: '2026-11-23T08:15:00.000Z',
  closed: { at: at(312.2), how: 'Completed' },
  status: {
    ...{ kind: 'PyTorchJob', name: 'resnet', namespace: 'ml', phase: 'Completed', state: 'Completed' },
    ...{ attempt: 3, restarts: 2, conditions: [], replicaStatuses: {}, warnings: [], timeline: [] },
    budgets: { hardware: { used: 1, allowed: 3 }, memory: { used: 1, allowed: 2 } },
  },
  submitted: {
    ...{ at: at(0), who: ANA, why: 'baseline with the cleaned data, before the review on Monday' },
    rerunOf: { workflowId: 'job/ml/resnet-small', runId: '01a2081c-77aa-7c01-9d55-0e8d9b6f4a20' },
  },
  entries: ENTRIES,
  ledger: {
    entries: ENTRIES.length,
    hash: '5f0c2d1bd5b1f1f7f3ae1c3ab0f7a7f5a0d9e7c4e8b9d0a1b2c3d4e5f60718293'.slice(0, 64),
  },
  pods: PODS,
  evidence: EVIDENCE,
  manifest: {
    ...{ apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob' },
    metadata: { name: 'resnet', namespace: 'ml', annotations: { 'signalbox.dev/policy': POLICY } },
    spec: {
      pytorchReplicaSpecs: {
        Master: { replicas: 1, restartPolicy: 'Never', template },
        Worker: { replicas: WORKERS, restartPolicy: 'Never', template },
      },
    },
  },
  revisions: [{ number: 2, at: at(150), who: ANA, why: 'rank 2 is close to its limit', policy: AMENDED }],
  policy: AMENDED,
  missing: [],
};
