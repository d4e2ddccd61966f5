import type { JobSummary } from '../../client/servers/summary.ts';
import type { JobDetails } from '../../client/use-cases/observe/job-details.ts';
import type { LogSigns } from '../../client/use-cases/pods/silence.ts';
import type { LaneJob, LanesAnswer } from '../../contracts/types.ts';

/** A job of a list, with what the cluster and its log tell. */
export interface ShownJob {
  readonly summary: JobSummary;
  readonly details?: JobDetails;
  readonly signs?: LogSigns;
}

/** The list and the queues of a cluster on an afternoon; times are as long ago as they are. */
export function afternoon(now = Date.now()): readonly ShownJob[] {
  const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
  let count = 0;
  const job = (
    name: string,
    { submitted, ended, ...more }: Partial<JobSummary> & { submitted: number; ended?: number },
  ): JobSummary => {
    const namespace = more.namespace ?? 'ml';
    count += 1;
    return {
      ...{
        workflowId: `job/${namespace}/${name}`,
        runId: `019f8a3c-1b2c-7000-8000-${String(count).padStart(12, '0')}`,
      },
      ...{ kind: 'PyTorchJob', name, namespace, phase: 'Running', attempt: 1, submittedBy: 'ana@laptop' },
      startTime: ago(submitted),
      ...(ended === undefined ? {} : { endTime: ago(ended) }),
      ...more,
    };
  };
  const steps = (step: number, total: number, secondsAgo: number, more: object = {}): LogSigns => ({
    steps: {
      ...{ pod: 'train-master-0', sentence: `step ${step} of ${total}, one every 350ms`, step, total },
      ...{ at: new Date(now - secondsAgo * 1_000).toISOString(), ...more },
    },
  });
  return [
    {
      summary: job('train', { submitted: 312, attempt: 3 }),
      details: { gpus: 72, restarts: 2, since: ago(64) },
      signs: steps(34_500, 60_000, 3),
    },
    {
      summary: job('llama-8b-sft', {
        submitted: 94,
        namespace: 'nlp',
        submittedBy: 'bea@hpc',
        kind: 'TrainJob',
      }),
      details: { gpus: 32, since: ago(81) },
      signs: steps(1_880, 12_000, 9),
    },
    {
      summary: job('whisper-eval', { submitted: 51, kind: 'Job', namespace: 'speech', submittedBy: 'ci' }),
      details: { gpus: 4, since: ago(49) },
      signs: steps(310, 900, 840, { isLate: true }),
    },
    {
      summary: job('mixtral-pretrain', {
        submitted: 23,
        phase: 'Pending',
        reason: 'WaitingForGang',
        submittedBy: 'carla@desk',
      }),
      details: {
        ...{ gpus: 128, since: ago(23) },
        cause: {
          reason: 'WaitingForGang',
          message: '16 of 16 nodes with 8 free GPUs are needed, 11 are there',
        },
      },
    },
    {
      summary: job('vit-sweep-7', {
        submitted: 12,
        phase: 'Pending',
        reason: 'Unschedulable',
        namespace: 'vision',
        submittedBy: 'dan@laptop',
      }),
      details: {
        ...{ gpus: 8, since: ago(12) },
        cause: { reason: 'Unschedulable', message: 'node selector disk=ssd excludes 12 of 14 nodes' },
      },
    },
    {
      summary: job('bert-large', {
        submitted: 140,
        phase: 'Restarting',
        reason: 'NodeLost',
        namespace: 'nlp',
        attempt: 2,
        kind: 'MPIJob',
      }),
      details: {
        ...{ gpus: 16, restarts: 1, since: ago(1) },
        cause: { reason: 'NodeLost', message: 'gpu-07 does not answer; its 8 pods are replaced' },
      },
    },
    {
      summary: job('tabular-xgb', {
        submitted: 1_500,
        phase: 'Suspended',
        reason: 'Suspended',
        kind: 'XGBoostJob',
        namespace: 'risk',
        submittedBy: 'eve@desk',
      }),
      details: { gpus: 0, since: ago(600) },
    },
    { summary: job('digits', { submitted: 190, ended: 130, phase: 'Completed' }) },
    {
      summary: job('mixtral-pretrain', {
        submitted: 400,
        ended: 290,
        phase: 'Failed',
        reason: 'PodFailed',
        attempt: 4,
        submittedBy: 'carla@desk',
      }),
    },
    {
      summary: job('gan-ablation', {
        submitted: 520,
        ended: 505,
        phase: 'Stopped',
        namespace: 'vision',
        submittedBy: 'dan@laptop',
      }),
    },
  ];
}

/** Two lanes of a pool. */
export function lanesOf(now = Date.now()): LanesAnswer {
  const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
  const gpus = (count: number) => ({ 'nvidia.com/gpu': String(count) });
  const job = (name: string, count: number, more: Partial<LaneJob> = {}): LaneJob => ({
    ...{ namespace: 'ml', name, priority: 0, since: ago(30), needs: gpus(count) },
    ...more,
  });
  const lane = { pool: 'h100', state: 'open', weight: 1, priority: 0 } as const;
  return {
    asOf: ago(0),
    lanes: [
      {
        ...{ ...lane, lane: 'research', used: gpus(104), share: gpus(64), borrowed: gpus(40) },
        running: [job('train', 72, { ends: ago(-90) }), job('llama-8b-sft', 32, { namespace: 'nlp' })],
        waiting: [
          job('mixtral-pretrain', 128, {
            position: 1,
            reason: 'LaneFull',
            message: '128 GPUs are needed, 24 are free',
          }),
        ],
        nextStart: ago(-90),
      },
      {
        ...{ ...lane, lane: 'nightly', state: 'paused', why: 'maintenance until 18:00' },
        ...{ used: {}, share: gpus(64), borrowed: {}, running: [] },
        waiting: [job('vit-sweep-7', 8, { namespace: 'vision', position: 1, message: 'the lane is paused' })],
      },
    ],
    unknown: [],
  };
}
