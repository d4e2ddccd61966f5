import type { LedgerEntry, RecordedPod } from '../../contracts/types.ts';
import { failedPodsOf } from './failures.ts';
import { countRestartsOf, type KnownRestart, knownRestarts, restartsByPod } from './in-place-restarts.ts';
import { type Stretch, stretchesOf } from './pod-stretches.ts';
import { ms } from './times.ts';

/** The life of one pod: one uid. */
export interface PodLife {
  readonly pod: string;
  readonly uid: string;
  readonly role: string;
  readonly index: number;
  readonly attempt: number;
  readonly node?: string;
  readonly stretches: readonly Stretch[];
  /** How often its kubelet restarted its containers, and what is known of when. */
  readonly restarts: number;
  readonly restarted: readonly KnownRestart[];
  readonly from: number;
  readonly to: number;
  readonly ended: 'succeeded' | 'failed' | 'deleted' | 'not yet';
  /** The container whose end explains the failure. */
  readonly failure?: { readonly container?: string; readonly exitCode?: number; readonly reason?: string };
}

/** Returns the lives of the recorded pods. Pods that did not end by themselves end with their attempt. */
export function podLivesOf(
  pods: readonly RecordedPod[],
  entries: readonly LedgerEntry[],
  until: number,
): PodLife[] {
  const ends = attemptEnds(entries);
  const failures = failedPodsOf(entries).filter(({ isInPlace }) => !isInPlace);
  const failed = new Set(failures.flatMap(({ pod }) => pod.uid ?? []));
  const restarts = restartsByPod(entries);
  const begun = [...firstCreated(pods)];
  return pods.map((pod) => {
    const restarted = knownRestarts(pod, restarts.get(pod.uid));
    const goneBy = Math.min(...begun.flatMap(([attempt, at]) => (attempt > pod.attempt ? at : [])));
    return lifeOf(pod, { end: ends.get(pod.attempt), until, failed, restarted, goneBy });
  });
}

/**
 * Returns when the first pod of each attempt was created: all pods of an earlier one are gone before. Clocks differ, and
 * Kubernetes notes whole seconds, so that the ends of the earlier ones may seem to be later.
 */
function firstCreated(pods: readonly RecordedPod[]): ReadonlyMap<number, number> {
  const firsts = new Map<number, number>();
  for (const { attempt, createdAt } of pods)
    firsts.set(attempt, Math.min(firsts.get(attempt) ?? Number.POSITIVE_INFINITY, ms(createdAt)));
  return firsts;
}

interface Known {
  readonly end?: number;
  readonly until: number;
  readonly failed: ReadonlySet<string>;
  readonly restarted: readonly KnownRestart[];
  readonly goneBy: number;
}

function lifeOf(pod: RecordedPod, { end, until, failed, restarted, goneBy }: Known): PodLife {
  const { name, uid, role, index, attempt, node } = { ...pod, name: pod.pod };
  const from = ms(pod.createdAt);
  const ended = pod.endedAt ?? pod.deletedAt;
  const to = Math.max(from, Math.min(ended ? ms(ended) : (end ?? until), goneBy));
  const failure = pod.containers.find(({ exitCode = 0 }) => exitCode !== 0);
  const hasFailed = pod.phase === 'Failed' || failed.has(uid);
  return {
    ...{ pod: name, uid, role, index, attempt, node, from, to },
    stretches: stretchesOf(pod, { from, to, restarted }),
    ...{ restarts: countRestartsOf(pod), restarted },
    ended: hasFailed ? 'failed' : endOfPod(pod, end),
    ...(hasFailed && failure
      ? { failure: { container: failure.name, exitCode: failure.exitCode, reason: failure.reason } }
      : {}),
  };
}

function endOfPod(pod: RecordedPod, end: number | undefined): PodLife['ended'] {
  if (pod.phase === 'Succeeded') return 'succeeded';
  return end === undefined && !pod.endedAt && !pod.deletedAt ? 'not yet' : 'deleted';
}

/** When each attempt was over: when the next one began, or the job ended. */
function attemptEnds(entries: readonly LedgerEntry[]): Map<number, number> {
  const ends = new Map<number, number>();
  let present: number | undefined;
  for (const entry of entries) {
    const isEnd = ['Completed', 'Failed', 'Stopped', 'Suspended'].includes(entry.phase);
    if (present !== undefined && (entry.attempt > present || isEnd) && !ends.has(present))
      ends.set(present, ms(entry.at));
    present = entry.attempt;
  }
  return ends;
}
