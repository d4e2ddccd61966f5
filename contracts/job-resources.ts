import { type Fields, isFields, ownValue } from '../language/fields.ts';
import { withoutNulls } from '../language/without-nulls.ts';
import type { Condition, KubeObject, Resource } from './kubernetes.ts';
import { withoutLastApplied } from './last-applied.ts';
import type { Phase, ReplicaStatus, ResourceIdentity } from './types.ts';

/** A job as a custom resource: a manifest that was applied, and the status that the bridge writes. */
export interface JobResource extends KubeObject {
  readonly spec?: unknown;
  readonly status?: JobResourceStatus;
}

/**
 * The status of a job's resource: Kubeflow's fields, and our own. The definitions of the original operators drop our own.
 * Any user with the right to do so can write it.
 */
export interface JobResourceStatus {
  readonly conditions?: readonly Condition[];
  readonly replicaStatuses?: Readonly<Record<string, ReplicaStatus>>;
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly phase?: Phase;
  /** Only of batch.volcano.sh. */
  readonly state?: { readonly phase?: string; readonly reason?: string };
  /** Why it is in this phase: a reason code. */
  readonly reason?: string;
  readonly message?: string;
  readonly attempt?: number;
  readonly progress?: string;
  /** Since when it is in its state. */
  readonly since?: string;
  /** What `validate` warns of in its manifest, and what the job does besides. */
  readonly warnings?: readonly string[];
  /** The first run of the job's workflow. */
  readonly runId?: string;
  /** The generation of the spec that the job was made from. */
  readonly appliedGeneration?: number;
  /** `false`: the job does not follow the annotations, which no generation counts; else absent. */
  readonly appliedAnnotations?: false;
  /** The generation that this status takes into account, whether the job follows it or not. */
  readonly observedGeneration?: number;
  /** `mode`, and the counts by role: only of batch.paddlepaddle.org. */
  readonly [field: string]: unknown;
}

/** Names a state of a resource. It can come back: the id of an update that asks for it says more. */
export const stateIdOf = ({ uid, generation, annotations }: ResourceIdentity): string =>
  [uid, generation, annotations].filter((part) => part !== undefined).join('/');

/** Returns the resource of a kind of job, e.g. `kubeflow.org/v1 PyTorchJob`. */
export const jobResourceOf = ({
  apiVersion,
  kind,
}: Pick<KubeObject, 'apiVersion' | 'kind'>): Resource<JobResource> => ({
  ...{ apiVersion, kind },
  plural: `${kind.toLowerCase()}s`,
  namespaced: true,
});

type JobEnd = 'Succeeded' | 'Failed';

/** Returns how the job of a resource has ended, as its status says; undefined if it has not. */
export const endIn = ({ conditions = [], state }: JobResourceStatus): JobEnd | undefined =>
  ownValue(ENDS_OF_STATES, state?.phase ?? '') ??
  Object.entries(ENDS_OF_CONDITIONS).find(([type]) => conditions.some((one) => isTrue(one, type)))?.[1];

/** Kubeflow's words, of its first and of its second generation. */
export const ENDS_OF_CONDITIONS: Readonly<Record<string, JobEnd>> = {
  ...{ Succeeded: 'Succeeded', Complete: 'Succeeded', Failed: 'Failed' },
};

/** The ends of Volcano, whose conditions have no type. */
export const ENDS_OF_STATES: Readonly<Record<string, JobEnd>> = {
  ...{ Completed: 'Succeeded', Failed: 'Failed', Terminated: 'Failed' },
};

/** Whether the status says that the job has ended. */
export const saysEnded = (status: JobResourceStatus): boolean => endIn(status) !== undefined;

/** Whether it has ended before anything was created, as its manifest has faults: corrected, it is run. */
export const saysInvalid = ({ kind, status = {} }: Pick<JobResource, 'kind' | 'status'>): boolean =>
  [status.reason, status.state?.reason].includes('InvalidManifest') ||
  (status.conditions?.some((one) => isTrue(one, 'Failed') && one.reason === invalidReasonOf(kind)) ?? false);

/** Kubeflow's word for a manifest with faults, as reason of a condition and of an event. */
export const invalidReasonOf = (kind: string): string => `${kind}FailedValidation`;

export const isTrue = (condition: Condition, type: string): boolean =>
  condition.type === type && condition.status === 'True';

/** Returns an identity that a memo has; undefined if it is none. Any client of Temporal who can start workflows can write a memo. */
export function asResourceIdentity(value: unknown): ResourceIdentity | undefined {
  if (!isFields(value)) return undefined;
  const { apiVersion, kind, uid, generation, annotations } = value;
  const isText = (text: unknown) => typeof text === 'string' && text !== '';
  const isValid = [apiVersion, kind, uid].every(isText) && Number.isSafeInteger(generation);
  const identity = { apiVersion, kind, uid, generation, ...(isText(annotations) ? { annotations } : {}) };
  return isValid ? (identity as ResourceIdentity) : undefined;
}

/**
 * Returns the manifest that a resource is, without its status, what the API server adds to its metadata, and the copy of
 * itself that `kubectl apply` makes. It is what the workflow is started with, and what admission compares with that.
 */
export function manifestOfResource({ apiVersion, kind, metadata, spec }: JobResource): Fields {
  const { name, namespace, labels, annotations } = metadata;
  const manifest = { apiVersion, kind, metadata: { name, namespace, labels, annotations }, spec };
  return withoutNulls(withoutLastApplied(JSON.parse(JSON.stringify(manifest)))) as Fields;
}
