import type { JobOfResource } from '../client/use-cases/submit/job-of-resource.ts';
import { endIn, isTrue, saysEnded } from '../contracts/job-resources.ts';
import { isReasonCode, REASONS, type ReasonCode } from '../contracts/reasons.ts';
import { isFinal } from '../contracts/status.ts';
import { findFramework } from '../frameworks/kinds/registry.ts';
import type { AnchoredJob, ShownStatus } from './anchored-job.ts';
import type { ResourceFacts } from './resource-facts.ts';
import { failedStatus, type Provenance, waitingStatus } from './resource-status.ts';

/** What is to be done for a resource, as far as the cluster says. */
type FirstStep =
  | { readonly is: 'nothing' }
  /** Only notes that the edit of a job that has ended was seen. */
  | { readonly is: 'observe' }
  /** Says on the resource that it was seen, then asks Temporal. */
  | { readonly is: 'lookUp' }
  /** Asks Temporal whether the anchor is of the job's run, and how that has ended. */
  | { readonly is: 'confirm' }
  | Shown;

export interface Shown extends Provenance {
  readonly is: 'show';
  readonly status: ShownStatus;
  /** The resource was edited since the job followed it. */
  readonly isEdited?: boolean;
}

/** What is to be done for a resource once Temporal was asked. */
export type NextStep =
  | { readonly is: 'start' }
  /** Temporal is to be asked again later. */
  | (Shown & { readonly later?: boolean })
  /** The resource has the status of another engine. */
  | { readonly is: 'leaveAlone' }
  | { readonly is: 'nothing' };

/**
 * Decides by the resource and the anchor of its job. `anchor`: that of the job that was made from this resource.
 * `knownRunId`: the run of the job, if Temporal has said it.
 */
export function firstStep(
  resource: ResourceFacts,
  anchor: AnchoredJob | undefined,
  { installation, knownRunId }: { readonly installation: string; readonly knownRunId?: string },
): FirstStep {
  if (resource.isForeign) return { is: 'nothing' };
  if (anchor) {
    if (anchor.installation !== installation) return { is: 'nothing' };
    if (anchor.hasLostEnd || !isConfirmed(resource, anchor, knownRunId)) return { is: 'confirm' };
    return shownOf(resource, anchor);
  }
  if (saysEnded(resource.status) && !isCorrected(resource))
    return { is: isUnobserved(resource) ? 'observe' : 'nothing' };
  // The finalizer of another controller can keep it for long: it then shows what becomes of its job, and starts none.
  if (resource.isDeleting && resource.status.runId === undefined) return { is: 'nothing' };
  return { is: 'lookUp' };
}

/**
 * Whether the resource may show what the anchor says: any user who may write ConfigMaps in its namespace can edit that. A run, and an
 * end, count if the resource shows them already, else once Temporal says so.
 */
function isConfirmed(
  { status }: ResourceFacts,
  anchor: AnchoredJob,
  knownRunId: string | undefined,
): boolean {
  const { phase = '' } = anchor.status;
  const shown = status.runId ?? knownRunId;
  if (!isFinal(phase)) return anchor.runId !== undefined && [knownRunId, shown].includes(anchor.runId);
  const isSameRun = shown === undefined || shown === anchor.runId;
  return isSameRun && endIn(status) === (phase === 'Completed' ? 'Succeeded' : 'Failed');
}

function shownOf(resource: ResourceFacts, anchor: AnchoredJob): Shown {
  const { status, runId, generation = 0 } = anchor;
  const follows = !resource.isDeleting && !isFinal(status.phase ?? '') && anchor.generation !== undefined;
  const isEdited = follows && isLater(resource, anchor);
  // No job follows what its resource has never said.
  const appliedGeneration = Math.min(generation, resource.generation) || undefined;
  const isBehind = follows && resource.annotations !== anchor.annotations;
  const shown = { is: 'show', status, runId, appliedGeneration, isEdited } as const;
  return isBehind ? { ...shown, appliedAnnotations: false } : shown;
}

/** A resource that was restored from a copy is earlier: its job stays as it is until a user edits that. */
const isLater = (resource: ResourceFacts, { generation = 0, annotations }: AnchoredJob) =>
  resource.generation > generation ||
  (resource.generation === generation && resource.annotations !== annotations);

/** A manifest with faults is read again when it was edited. */
const isCorrected = ({ status, generation }: ResourceFacts) =>
  status.reason === 'InvalidManifest' &&
  status.appliedGeneration !== undefined &&
  status.appliedGeneration < generation;

/** Other programs take it for one in progress. Not one of the statuses that others have written, or whose definition has no field for it. */
const isUnobserved = ({ status, generation }: ResourceFacts) =>
  status.observedGeneration !== undefined && status.observedGeneration < generation;

/** Decides for a resource without an anchor, by what Temporal knows of its job. */
export function nextStep(resource: ResourceFacts, job: JobOfResource): NextStep {
  const step = stepFor(resource, job);
  const isOver = resource.isDeleting && (step.is === 'start' || job.is === 'nameTaken');
  return isOver ? { is: 'nothing' } : step;
}

function stepFor(resource: ResourceFacts, job: JobOfResource): NextStep {
  const { status, generation } = resource;
  switch (job.is) {
    case 'open':
      return {
        ...{ is: 'show', status: beforeAnchor(job.reason), later: true },
        ...{ runId: job.runId, appliedGeneration: job.generation },
      };
    case 'closed': {
      const { outcome, runId } = job;
      const appliedGeneration = Math.max(status.appliedGeneration ?? 0, job.generation ?? 0) || generation;
      const isRefused = outcome.cause?.reason === 'InvalidManifest';
      if (isRefused && appliedGeneration < generation) return { is: 'start' };
      return { is: 'show', status: outcome, runId, appliedGeneration };
    }
    case 'nameTaken':
      return { is: 'show', status: NAME_TAKEN, later: true };
    case 'unknown':
      if (status.runId !== undefined) return { is: 'show', status: RECORD_LOST, runId: status.runId };
      return hasForeignStatus(resource) ? { is: 'leaveAlone' } : { is: 'start' };
  }
}

/**
 * Decides for a resource whose anchor says what is to be confirmed: an end, or a run. While Temporal has an open run of the job, that has
 * not ended; one that it no longer knows is as the anchor says.
 */
export function confirmedStep(
  resource: ResourceFacts,
  anchor: AnchoredJob,
  job: JobOfResource,
): Shown | { readonly is: 'later' | 'nothing' } {
  const hasEnded = isFinal(anchor.status.phase ?? '');
  const shown = shownOf(resource, anchor);
  if (job.is === 'open')
    return hasEnded || anchor.hasLostEnd ? { is: 'later' } : { ...shown, runId: job.runId };
  if (job.is !== 'closed') return hasEnded ? shown : { is: anchor.hasLostEnd ? 'nothing' : 'later' };
  const end = stepFor(resource, job);
  if (end.is !== 'show') return { is: 'nothing' };
  return { ...end, appliedGeneration: Math.max(end.appliedGeneration ?? 0, shown.appliedGeneration ?? 0) };
}

/** The workflow runs and has recorded nothing yet. */
const beforeAnchor = (reason: ReasonCode | undefined) =>
  reason
    ? waitingStatus(reason, REASONS[reason].sentence)
    : waitingStatus('CreatingObjects', 'the manifest is being checked and the name claimed');

export const NAME_TAKEN = waitingStatus(
  'NameTaken',
  'another job has this name in the namespace; this one starts when that one, or its resource, is gone',
);

const RECORD_LOST = failedStatus(
  'WorkflowTerminated',
  'Temporal no longer knows the workflow of this job, and the job left nothing in the cluster; it is not started again. Delete the resource and apply it again to run it',
);

/**
 * The bridge notes in each status what it was made from; another engine does not. One that has only created pods says so by when
 * it started. One that it has suspended has none. Volcano gives no reason of a state, and its definition keeps ours.
 */
function hasForeignStatus({ apiVersion, kind, status }: ResourceFacts): boolean {
  const { runId, appliedGeneration, startTime, state, conditions = [] } = status;
  const saysBegun = findFramework(apiVersion, kind)?.resource?.saysBegun?.(status) ?? false;
  return (
    runId === undefined &&
    appliedGeneration === undefined &&
    !isReasonCode(state?.reason) &&
    !conditions.some((one) => isTrue(one, 'Suspended')) &&
    (saysBegun || startTime !== undefined || conditions.some(({ type }) => type !== 'Created'))
  );
}
