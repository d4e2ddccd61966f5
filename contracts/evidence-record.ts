import { z } from 'zod';
import type { EvidenceSummary } from './evidence.ts';
import type { Condition } from './kubernetes.ts';

/**
 * The stored record of a failed pod, as JSON: Kubernetes' own objects, reduced to what explains a failure. Times are
 * RFC 3339.
 *
 * @public
 */
export interface EvidenceRecord {
  readonly version: 1;
  readonly job: { readonly kind: string; readonly namespace: string; readonly name: string };
  /** Identifies the run of the job. */
  readonly anchorUid: string;
  /** The summary that is also in the workflow's history. */
  readonly summary: EvidenceSummary;
  /** When the pod failed; the time of the record for a pod that only stalled. */
  readonly failedAt: string;
  readonly pod: {
    readonly phase?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly startTime?: string | null;
    readonly deletionTimestamp?: string;
    readonly conditions: readonly ConditionEvidence[];
  };
  readonly containers: readonly ContainerEvidence[];
  readonly node?: NodeEvidence;
  readonly events: readonly EventEvidence[];
  /** Each part that could not be captured, and why. */
  readonly incomplete?: readonly string[];
}

/**
 * A condition of a pod or node when its evidence was taken.
 *
 * @public
 */
export interface ConditionEvidence extends Pick<Condition, 'type' | 'reason' | 'message'> {
  readonly status: string;
  readonly lastTransitionTime?: string | null;
  readonly lastHeartbeatTime?: string | null;
}

/**
 * A container of a failed pod, with the last lines it logged.
 *
 * @public
 */
export interface ContainerEvidence {
  readonly name: string;
  readonly image?: string;
  readonly isInit?: boolean;
  readonly restarts: number;
  readonly state?: ContainerStateEvidence;
  /** State of the run before the last restart in place. */
  readonly lastState?: ContainerStateEvidence;
  readonly log?: LogExcerpt;
  readonly previousLog?: LogExcerpt;
}

/**
 * The state of a container, as Kubernetes has it.
 *
 * @public
 */
export interface ContainerStateEvidence {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: { readonly startedAt?: string | null };
  readonly terminated?: {
    readonly exitCode: number;
    readonly signal?: number;
    readonly reason?: string;
    readonly message?: string;
    readonly startedAt?: string | null;
    readonly finishedAt?: string | null;
  };
}

/**
 * The last lines that a container logged.
 *
 * @public
 */
export interface LogExcerpt {
  readonly lines: readonly string[];
  /** Earlier lines were left out, or the first line is incomplete. */
  readonly isCut: boolean;
}

/**
 * The node of a failed pod.
 *
 * @public
 */
export interface NodeEvidence {
  readonly name: string;
  readonly conditions: readonly ConditionEvidence[];
  readonly taints: readonly { readonly key: string; readonly value?: string; readonly effect?: string }[];
  readonly unschedulable: boolean;
}

/**
 * A Kubernetes event about a failed pod.
 *
 * @public
 */
export interface EventEvidence {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
  readonly firstAt?: string;
  readonly lastAt?: string;
  readonly source?: string;
}

const condition = z.object({
  type: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  message: z.string().optional(),
  lastTransitionTime: z.string().nullish(),
  lastHeartbeatTime: z.string().nullish(),
});

const terminated = z.object({
  exitCode: z.number(),
  signal: z.number().optional(),
  reason: z.string().optional(),
  message: z.string().optional(),
  startedAt: z.string().nullish(),
  finishedAt: z.string().nullish(),
});

const state = z.object({
  waiting: z.object({ reason: z.string().optional(), message: z.string().optional() }).optional(),
  running: z.object({ startedAt: z.string().nullish() }).optional(),
  terminated: terminated.optional(),
});

const logExcerpt = z.object({
  lines: z.array(z.string()),
  /** Earlier lines were left out, or the first line is incomplete. */
  isCut: z.boolean(),
});

const container = z.object({
  name: z.string(),
  image: z.string().optional(),
  isInit: z.boolean().optional(),
  restarts: z.number(),
  state: state.optional(),
  /** State of the run before the last restart in place. */
  lastState: state.optional(),
  log: logExcerpt.optional(),
  previousLog: logExcerpt.optional(),
});

const node = z.object({
  name: z.string(),
  conditions: z.array(condition),
  taints: z.array(z.object({ key: z.string(), value: z.string().optional(), effect: z.string().optional() })),
  unschedulable: z.boolean(),
});

const event = z.object({
  type: z.string().optional(),
  reason: z.string().optional(),
  message: z.string().optional(),
  count: z.number().optional(),
  firstAt: z.string().optional(),
  lastAt: z.string().optional(),
  source: z.string().optional(),
});

const summary = z.object({
  pod: z.string(),
  uid: z.string(),
  role: z.string(),
  index: z.number(),
  attempt: z.number(),
  node: z.string().optional(),
  container: z.string().optional(),
  exitCode: z.number().optional(),
  signal: z.number().optional(),
  reason: z.string().optional(),
  message: z.string().optional(),
  takenAt: z.string(),
  ref: z.string().optional(),
  matches: z.array(z.number()).optional(),
  incomplete: z.string().optional(),
});

export const evidenceRecord = z.object({
  version: z.literal(1),
  job: z.object({ kind: z.string(), namespace: z.string(), name: z.string() }),
  /** Identifies the run of the job. */
  anchorUid: z.string(),
  /** The summary that is also in the workflow's history. */
  summary,
  /** When the pod failed, RFC 3339; the time of the record for a pod that only stalled. */
  failedAt: z.string(),
  pod: z.object({
    phase: z.string().optional(),
    reason: z.string().optional(),
    message: z.string().optional(),
    startTime: z.string().nullish(),
    deletionTimestamp: z.string().optional(),
    conditions: z.array(condition),
  }),
  containers: z.array(container),
  node: node.optional(),
  events: z.array(event),
  /** Each part that could not be captured, and why. */
  incomplete: z.array(z.string()).optional(),
}) satisfies z.ZodType<EvidenceRecord>;
