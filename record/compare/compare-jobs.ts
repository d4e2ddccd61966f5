import {
  compareManifests,
  type ManifestDifferences,
} from '../../contracts/differences/manifest-differences.ts';
import { compareValues, type ValueDifference } from '../../contracts/differences/structure.ts';
import { hideInText } from '../../contracts/secrets/hide-in-text.ts';
import { isFinal } from '../../contracts/status.ts';
import type { LedgerEntry, RecordedPod } from '../../contracts/types.ts';
import { ownValue } from '../../language/fields.ts';
import { msByPhase } from '../facts/accounts.ts';
import { courseOf } from '../facts/course.ts';
import { failedPodsOf } from '../facts/failures.ts';
import { ms } from '../facts/times.ts';
import { type RevisionRequest, requestOfRevision } from '../ledger/revision-requests.ts';

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

/** The outcome of a job, from its ledger and its pods. */
interface ComparedFacts {
  readonly phase: string;
  readonly reason?: string;
  /** Without what looks like a secret. */
  readonly message?: string;
  readonly attempts: number;
  readonly restarts: number;
  /** How many pods failed, by how, e.g. `worker: Error, exit code 1`. */
  readonly failures: Readonly<Record<string, number>>;
  /** Milliseconds by what the job did; `total` until its last entry. */
  readonly timings: Readonly<Record<string, number>>;
  /** How many pods ran on each node. */
  readonly nodes: Readonly<Record<string, number>>;
  /** Images that ran, with their digests, by role and container, e.g. `worker/pytorch`. */
  readonly images: Readonly<Record<string, readonly string[]>>;
}

function factsOf(entries: readonly LedgerEntry[], pods: readonly RecordedPod[]): ComparedFacts {
  const { phase = 'unknown', cause, attempts = 0, restarts = 0 } = courseOf(entries) ?? {};
  return {
    phase,
    ...(cause?.reason ? { reason: cause.reason, message: cause.message && hideInText(cause.message) } : {}),
    attempts,
    restarts,
    failures: failuresIn(entries),
    timings: timingsOf(entries),
    nodes: countBy(pods.flatMap(({ node }) => node ?? [])),
    images: imagesOf(pods),
  };
}

const failuresIn = (entries: readonly LedgerEntry[]): Readonly<Record<string, number>> =>
  countBy(
    failedPodsOf(entries).map(({ pod: { role = 'pod', reason = 'failed', exitCode } }) =>
      exitCode === undefined ? `${role}: ${reason}` : `${role}: ${reason}, exit code ${exitCode}`,
    ),
  );

const DOING: Readonly<Record<string, string>> = {
  Pending: 'waiting',
  Starting: 'starting',
  Running: 'running',
  Restarting: 'restarting',
  Suspended: 'suspended',
};

function timingsOf(entries: readonly LedgerEntry[]): Readonly<Record<string, number>> {
  const [first, last] = [entries[0], entries.at(-1)];
  if (!first || !last) return {};
  const timings: Record<string, number> = {};
  for (const [phase, spent] of msByPhase(entries, ms(last.at))) {
    const doing = isFinal(phase) ? 'cleaning up' : (DOING[phase] ?? phase);
    if (spent > 0) timings[doing] = (timings[doing] ?? 0) + spent;
  }
  return { ...timings, total: ms(last.at) - ms(first.at) };
}

function imagesOf(pods: readonly RecordedPod[]): Readonly<Record<string, readonly string[]>> {
  const ran = pods.flatMap(({ role, containers }) =>
    containers.flatMap(({ name, imageID }) => (imageID ? [[`${role}/${name}`, imageID] as const] : [])),
  );
  const byContainer = Map.groupBy(ran, ([container]) => container);
  return Object.fromEntries(
    [...byContainer].map(([container, found]) => [container, [...new Set(found.map(([, id]) => id))].sort()]),
  );
}

function countBy(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of [...names].sort()) counts[name] = (ownValue(counts, name) ?? 0) + 1;
  return counts;
}
