import { hideInText } from '../../contracts/secrets/hide-in-text.ts';
import { isFinal } from '../../contracts/status.ts';
import type { LedgerEntry, RecordedPod } from '../../contracts/types.ts';
import { msByPhase } from '../facts/accounts.ts';
import { courseOf } from '../facts/course.ts';
import { failedPodsOf } from '../facts/failures.ts';
import { ms } from '../facts/times.ts';

/** The outcome of a job, from its ledger and its pods. */
export interface ComparedFacts {
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

export function factsOf(entries: readonly LedgerEntry[], pods: readonly RecordedPod[]): ComparedFacts {
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
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
