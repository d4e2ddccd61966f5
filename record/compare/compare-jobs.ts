import {
  compareManifests,
  type ManifestDifferences,
} from '../../contracts/differences/manifest-differences.ts';
import { compareValues, type ValueDifference } from '../../contracts/differences/structure.ts';
import type { LedgerEntry, RecordedPod } from '../../contracts/types.ts';
import { type RevisionRequest, requestOfRevision } from '../ledger/revision-requests.ts';
import { type ComparedFacts, factsOf } from './job-facts.ts';

/** One side of a comparison. */
export interface ComparedJob {
  readonly workflowId: string;
  readonly runId: string;
  readonly revision: number;
  /** With the sizes and the policy of the revision. */
  readonly manifest: unknown;
  readonly entries: readonly LedgerEntry[];
  readonly pods: readonly RecordedPod[];
}

/** One side, as the result shows it. */
export interface ComparedSide extends Pick<ComparedJob, 'workflowId' | 'runId' | 'revision'>, ComparedFacts {
  /** Who asked for the revision; absent for the first one. */
  readonly revisionRequest?: RevisionRequest;
}

export interface JobComparison extends ManifestDifferences {
  readonly a: ComparedSide;
  readonly b: ComparedSide;
  /** Digests of the images that ran. Empty also if they are not known of both. */
  readonly ran: readonly ValueDifference[];
  /** Outcome, attempts, restarts and failures. */
  readonly fate: readonly ValueDifference[];
  /** Nothing of the above differs. Times, and the nodes that a scheduler chose, never make two jobs different. */
  readonly isEqual: boolean;
}

export function compareJobs(a: ComparedJob, b: ComparedJob): JobComparison {
  const sides = [a, b].map(sideOf) as [ComparedSide, ComparedSide];
  const manifests = compareManifests(a.manifest, b.manifest);
  const hasRan = sides.every(({ images }) => Object.keys(images).length > 0);
  const ran = hasRan ? compareValues(sides[0].images, sides[1].images) : [];
  const fate = compareValues(fateOf(sides[0]), fateOf(sides[1]));
  const isEqual = [...Object.values(manifests), ran, fate].every(({ length }) => length === 0);
  return { isEqual, a: sides[0], b: sides[1], ...manifests, ran, fate };
}

function sideOf({ workflowId, runId, revision, entries, pods }: ComparedJob): ComparedSide {
  const revisionRequest = requestOfRevision(entries, revision);
  return {
    ...{ workflowId, runId, revision },
    ...(revisionRequest ? { revisionRequest } : {}),
    ...factsOf(entries, pods),
  };
}

/** Messages name pods, and so the job. */
const fateOf = ({ phase, reason, attempts, restarts, failures }: ComparedFacts) => ({
  ...{ phase, reason, attempts, restarts, failures },
});
