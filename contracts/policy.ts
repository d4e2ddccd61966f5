import type { Policy, ProgressRules } from './types.ts';

/** What a failure restarts, from the smallest scope to the largest. */
export const RESTART_SCOPES = ['container', 'pod', 'role', 'gang', 'gangElsewhere'] as const;
export type RestartScope = (typeof RESTART_SCOPES)[number];

/** Built-in classes; rules may name others. */
export const FAILURE_CLASSES = ['infrastructure', 'startUp', 'userCode', 'stalled'] as const;
export type BuiltInClass = (typeof FAILURE_CLASSES)[number];

export const NODE_TROUBLES = ['NotReady', 'OutOfService', 'Cordoned'] as const;
export type NodeTrouble = (typeof NODE_TROUBLES)[number];

/** What becomes of a gang that has not got its nodes in time. */
export const GANG_ENDS = ['fail', 'requeue'] as const;

/** What follows when a program makes no step for longer than usual, as its log shows without configuration. */
export const ON_HANG = ['tell', 'restart'] as const;
export type OnHang = (typeof ON_HANG)[number];

/** When the gates of a gated gang are lifted: `onQuota` as soon as quotas have let all its pods in. */
export const GANG_LIFTS = ['whenItFits', 'onQuota'] as const;

/**
 * What a job does on a node that a source of health calls sick, or that goes away: it goes on and tells, restarts elsewhere, or does
 * so after a checkpoint.
 */
export const ON_NOTICE = ['tell', 'restart', 'checkpoint'] as const;
export type OnNotice = (typeof ON_NOTICE)[number];

/** Signals that programs handle. The others cannot be handled or have another meaning. */
export const CHECKPOINT_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;
export type CheckpointSignal = (typeof CHECKPOINT_SIGNALS)[number];

/**
 * For jobs without the annotation: behaves as the original operators do, except that a pod's result is that of its main
 * container.
 */
export const DEFAULT_POLICY: Policy = {
  restart: {
    ladder: [{ scope: 'container' }, { scope: 'pod' }],
    backOff: {
      firstAtOnce: true,
      initialMs: 10_000,
      factor: 2,
      maxMs: 300_000,
      jitter: 0,
      resetAfterMs: 600_000,
    },
    refundOnProgress: false,
  },
  failures: { rules: [], classes: {} },
  nodes: { troubles: ['NotReady', 'OutOfService'], avoidAtMost: 5 },
  // Quotas serve as queues: a job that waits in one must survive a long weekend.
  refusals: { failAfterMs: 7 * 24 * 3_600_000 },
  evidence: { logLines: 100 },
  scaleByRestart: false,
  waitForSidecars: false,
};

/** What a part of a policy has if it is given without it. */
export const DEFAULTS_OF_PARTS = {
  gang: { otherwise: 'fail' },
  lane: { priority: 0 },
  // Almost every image has it.
  spares: { command: ['sleep', 'infinity'] },
  // Writing a checkpoint takes minutes.
  checkpoint: { withinMs: 300_000 },
} satisfies { readonly [Part in keyof Policy]?: Partial<Policy[Part]> };

/** What the watcher looks for, stored on the job's anchor as JSON. */
export interface WatchRules {
  /** Where the main pod reports progress. */
  readonly progress?: Pick<ProgressRules, 'annotation' | 'log'>;
  readonly acknowledgedBy?: NonNullable<Policy['checkpoint']>['acknowledgedBy'];
  /** Minimum interval between progress reports to the workflow. */
  readonly everyMs?: number;
}
