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
