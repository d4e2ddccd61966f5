/**
 * The annotation `signalbox.dev/policy` after validation: times in milliseconds, defaults filled in. The defaults
 * behave as the original operators do (see DEFAULT_POLICY).
 */
export interface Policy {
  readonly restart: RestartRules;
  readonly failures: FailureRules;
  /** How the job reports progress. */
  readonly progress?: ProgressRules;
  readonly nodes: NodeRules;
  /** How long a gang may wait for its nodes. */
  readonly gang?: GangRules;
  /** How the job waits in its lane. */
  readonly lane?: LaneRules;
  /** Pods that hold places for those that lose their own. */
  readonly spares?: SpareRules;
  readonly refusals: RefusalRules;
  readonly evidence: EvidenceRules;
  /** How long failed pods are kept for inspection. */
  readonly holdOnFailureMs?: number;
  readonly checkpoint?: CheckpointRules;
  /** Scales a role by restarting the gang if its kind cannot change the size of a running role. */
  readonly scaleByRestart: boolean;
  /** A pod has its result when all its containers have ended, not with its main container. */
  readonly waitForSidecars: boolean;
}

/** What a failure restarts, from the smallest scope to the largest. */
export const RESTART_SCOPES = ['container', 'pod', 'role', 'gang', 'gangElsewhere'] as const;
export type RestartScope = (typeof RESTART_SCOPES)[number];

interface RestartRules {
  /**
   * In order. A job that has used up a rung uses the next one, and fails after the last. Without a rung `container`,
   * kubelets restart no containers in roles with restartPolicy OnFailure: signalbox decides on each failure.
   */
  readonly ladder: readonly Rung[];
  readonly backOff: BackOffRules;
  /** Progress since the last restart resets budgets, ladder and back-off. */
  readonly refundOnProgress: boolean;
  /**
   * How long pods that have not failed may take to end when they restart with one that has. Absent: two seconds, unless
   * the pod or `checkpoint` asks for more.
   */
  readonly survivorGraceMs?: number;
}

export interface Rung {
  readonly scope: RestartScope;
  /** Maximum number of restarts; unlimited if absent. */
  readonly times?: number;
  /** A job that does not run again within this time uses the next rung. */
  readonly withinMs?: number;
}

/** Delays between consecutive restarts. */
export interface BackOffRules {
  /** The first restart has no delay; `initialMs` is the delay of the second. */
  readonly firstAtOnce: boolean;
  readonly initialMs: number;
  readonly factor: number;
  readonly maxMs: number;
  /** Random part of each delay: 0.2 means up to a fifth more or less. */
  readonly jitter: number;
  /** Back-off and ladder start over after this time without a restart. */
  readonly resetAfterMs: number;
}

/** Built-in classes; rules may name others. */
export const FAILURE_CLASSES = ['infrastructure', 'startUp', 'userCode', 'stalled'] as const;
export type BuiltInClass = (typeof FAILURE_CLASSES)[number];

export interface FailureRules {
  /** Precede the built-in rules; the first match gives a failure its class. */
  readonly rules: readonly ClassRule[];
  readonly classes: Readonly<Record<string, FailureClass>>;
  /** Pods that wait longer than this for an image, a volume, their configuration or a node have failed to start. */
  readonly startUpAfterMs?: number;
}

/** All given conditions must match. */
export interface ClassRule {
  readonly class: string;
  /** Ranges of exit codes, both ends included. */
  readonly exitCodes?: readonly (readonly [number, number])[];
  /** RE2, matched against the termination message and the last log lines of the failed container. */
  readonly pattern?: string;
  /** Kubernetes reasons, e.g. OOMKilled, Evicted. */
  readonly reasons?: readonly string[];
  /** In lower case. */
  readonly roles?: readonly string[];
}

/** Effect of failures of a class. Without any of these the role's restart policy decides, and backoffLimit counts. */
export interface FailureClass {
  /** The job fails. */
  readonly final?: boolean;
  /** backoffLimit does not count its restarts. */
  readonly free?: boolean;
  /** Maximum number of restarts for this class; backoffLimit does not count them. */
  readonly budget?: number;
}

export interface ProgressRules {
  /** Key of an annotation that the program sets on the main pod. */
  readonly annotation?: string;
  /** RE2, matched against each log line of the main pod. Its first group, or the whole match, is the progress. */
  readonly log?: string;
  /** No progress for this long, while the job runs, is a failure of class stalled. */
  readonly stalledAfterMs?: number;
}

export const NODE_TROUBLES = ['NotReady', 'OutOfService', 'Cordoned'] as const;
export type NodeTrouble = (typeof NODE_TROUBLES)[number];

interface NodeRules {
  /** Pods on a node are lost after it was in trouble for this long; never if absent. */
  readonly lostAfterMs?: number;
  readonly troubles: readonly NodeTrouble[];
  /** How long new pods of the job avoid a node after an infrastructure failure on it. */
  readonly avoidForMs?: number;
  /** Maximum number of avoided nodes; the latest ones. */
  readonly avoidAtMost: number;
  /**
   * Deletes pods by force that still exist this long after they were asked to stop. On a dead node they may still run
   * beside their replacements. Never if absent.
   */
  readonly forceDeleteAfterMs?: number;
}

/** What becomes of a gang that has not got its nodes in time. */
export const GANG_ENDS = ['fail', 'requeue'] as const;

/** When the gates of a gated gang are lifted: `onQuota` as soon as quotas have let all its pods in. */
export const GANG_LIFTS = ['whenItFits', 'onQuota'] as const;

export interface GangRules {
  /** Absent: `whenItFits`. */
  readonly lift?: (typeof GANG_LIFTS)[number];
  /** From when an attempt begins, until enough of its pods have a node; absent: for ever. */
  readonly placedWithinMs?: number;
  /** `requeue`: its pods and its group are deleted, and made anew after a back-off. */
  readonly otherwise: (typeof GANG_ENDS)[number];
}

interface LaneRules {
  /** Absent: the configuration's default. */
  readonly name?: string;
  readonly priority: number;
  /** How long the job runs at most, as it declares. */
  readonly runsForMs?: number;
}

export interface SpareRules {
  readonly count: number;
  /** The role whose pods they are like; absent: the one with the most pods. */
  readonly role?: string;
  /** What their containers run: something that waits. */
  readonly command: readonly string[];
}

interface RefusalRules {
  /** The job fails when the API server has refused an object for this long. */
  readonly failAfterMs: number;
}

interface EvidenceRules {
  /** Number of last log lines of the failed container that are kept. */
  readonly logLines: number;
}

/** Signals that programs handle. The others cannot be handled or have another meaning. */
export const CHECKPOINT_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;
export type CheckpointSignal = (typeof CHECKPOINT_SIGNALS)[number];

interface CheckpointRules {
  /** A file in every container, empty until a checkpoint is requested. */
  readonly file?: string;
  /** Signal that the program receives when its pod is asked to stop. It then has all of `withinMs` to end. */
  readonly signal?: CheckpointSignal;
  /** Time limit for the checkpoint. */
  readonly withinMs: number;
  /** RE2 for the main pod's log, or key of an annotation on that pod, that confirms the checkpoint. */
  readonly acknowledgedBy?: { readonly log?: string; readonly annotation?: string };
}

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

/** What the watcher looks for, stored on the job's anchor as JSON. */
export interface WatchRules {
  /** Where the main pod reports progress. */
  readonly progress?: Pick<ProgressRules, 'annotation' | 'log'>;
  readonly acknowledgedBy?: CheckpointRules['acknowledgedBy'];
  /** Minimum interval between progress reports to the workflow. */
  readonly everyMs?: number;
}
