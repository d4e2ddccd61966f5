/**
 * What the annotation `signalbox.dev/policy` says, after validation: times in milliseconds, defaults filled in. The
 * defaults behave as the original operators do.
 */
export interface Policy {
  readonly restart: RestartRules;
  readonly failures: FailureRules;
  /** How it is known that the job gets on. */
  readonly progress?: ProgressRules;
  readonly nodes: NodeRules;
  /** Absent in jobs that were admitted before there was a limit. */
  readonly refusals?: RefusalRules;
  readonly evidence: EvidenceRules;
  /** Failed pods are kept so long for people to look at them. */
  readonly holdOnFailureMs?: number;
  readonly checkpoint?: CheckpointRules;
  /** A role whose kind cannot change its size while it runs is scaled by restarting the gang. */
  readonly scaleByRestart: boolean;
}

/** From the smallest to the largest: what starts again after a failure. */
export const RESTART_SCOPES = ['container', 'pod', 'role', 'gang', 'gangElsewhere'] as const;
export type RestartScope = (typeof RESTART_SCOPES)[number];

export interface RestartRules {
  /**
   * In order; a job that has used one up goes on to the next, and fails after the last. Kubelets restart containers in
   * place, as restartPolicy says, only where there is a rung `container`; otherwise each failure is signalbox's to decide.
   */
  readonly ladder: readonly Rung[];
  readonly backOff: BackOffRules;
  /** Budgets, ladder and back-off begin anew when the job has got on since the last restart. */
  readonly refundOnProgress: boolean;
}

export interface Rung {
  readonly scope: RestartScope;
  /** Restarts at most; any number without it. */
  readonly times?: number;
  /** A job that does not run again after so long goes on to the next rung. */
  readonly withinMs?: number;
}

/** Times between restarts that follow each other. */
export interface BackOffRules {
  /** The first restart comes at once, and what follows begins with `initialMs`. */
  readonly firstAtOnce: boolean;
  readonly initialMs: number;
  readonly factor: number;
  readonly maxMs: number;
  /** Part of each time that is left to chance: 0.2 is up to a fifth more or less. */
  readonly jitter: number;
  /** After so long without a restart it begins anew, and so does the ladder. */
  readonly resetAfterMs: number;
}

/** Classes that signalbox itself tells apart; rules may name others. */
export const FAILURE_CLASSES = ['infrastructure', 'startUp', 'userCode', 'stalled'] as const;
export type BuiltInClass = (typeof FAILURE_CLASSES)[number];

export interface FailureRules {
  /** Before the built-in ones; the first that matches gives a failure its class. */
  readonly rules: readonly ClassRule[];
  readonly classes: Readonly<Record<string, FailureClass>>;
  /** Pods that wait longer than this for an image, a volume, their configuration or a node have failed to start. */
  readonly startUpAfterMs?: number;
}

/** All that is given must hold. */
export interface ClassRule {
  readonly class: string;
  /** Ranges of exit codes, both ends included. */
  readonly exitCodes?: readonly (readonly [number, number])[];
  /** RE2, searched in the termination message and in the last lines of the failed container's log. */
  readonly pattern?: string;
  /** Kubernetes' words, e.g. OOMKilled, Evicted. */
  readonly reasons?: readonly string[];
  /** In lower case. */
  readonly roles?: readonly string[];
}

/** What failures of a class mean; without any of these the restart policy of the role decides, and backoffLimit counts. */
export interface FailureClass {
  /** The job fails. */
  readonly final?: boolean;
  /** A restart costs nothing. */
  readonly free?: boolean;
  /** Restarts of this class at most, instead of being counted by backoffLimit. */
  readonly budget?: number;
}

export interface ProgressRules {
  /** Key of an annotation that the program sets on its pod, rank 0's. */
  readonly annotation?: string;
  /** RE2, searched in each line of rank 0's log; its first group, or all of it, is the progress. */
  readonly log?: string;
  /** Silence of so long, while the job runs, is a failure of class stalled. */
  readonly stalledAfterMs?: number;
}

/** What is wrong with a node. */
export const NODE_TROUBLES = ['NotReady', 'OutOfService', 'Cordoned'] as const;
export type NodeTrouble = (typeof NODE_TROUBLES)[number];

export interface NodeRules {
  /** Pods on a node that has been in trouble for so long are lost; never without it. */
  readonly lostAfterMs?: number;
  readonly troubles: readonly NodeTrouble[];
  /** Later pods of the job keep away so long from nodes whose failure was the infrastructure's. */
  readonly avoidForMs?: number;
  /** Of so many nodes at most, the latest. */
  readonly avoidAtMost: number;
  /**
   * Pods that are still there so long after they were told to stop are deleted by force: on a dead node they may go on
   * running beside those that replace them. Never without it.
   */
  readonly forceDeleteAfterMs?: number;
}

export interface RefusalRules {
  /** A job that the API server refuses something for so long has failed. */
  readonly failAfterMs: number;
}

export interface EvidenceRules {
  /** Last lines of the failed container's log that are kept. */
  readonly logLines: number;
}

/** What programs handle; the others cannot be, or mean something else. */
export const CHECKPOINT_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;
export type CheckpointSignal = (typeof CHECKPOINT_SIGNALS)[number];

export interface CheckpointRules {
  /** A file in every container, empty until a checkpoint is asked for. */
  readonly file?: string;
  /** What a program gets when its pod is told to stop, with all of `withinMs` to end after it. */
  readonly signal?: CheckpointSignal;
  /** Time for the checkpoint. */
  readonly withinMs: number;
  /** RE2 in rank 0's log, or the key of an annotation on its pod, that says the checkpoint is written. */
  readonly acknowledgedBy?: { readonly log?: string; readonly annotation?: string };
}

/** A job without the annotation: as the original operators run it. */
export const DEFAULT_POLICY = {
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
  // Quotas serve as queues, and a long weekend must not end a job that waits in one.
  refusals: { failAfterMs: 7 * 24 * 3_600_000 },
  evidence: { logLines: 100 },
  scaleByRestart: false,
} satisfies Policy as Policy & { readonly refusals: RefusalRules };

/** What a watcher has to look out for, written on the job's anchor as JSON. */
export interface WatchRules {
  /** Whose log and annotations tell: rank 0's pod. */
  readonly progress?: Pick<ProgressRules, 'annotation' | 'log'>;
  readonly acknowledgedBy?: CheckpointRules['acknowledgedBy'];
  /** Progress is told at most so often. */
  readonly everyMs?: number;
}
