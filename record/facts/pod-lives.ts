import type { LedgerEntry, RecordedPod } from '../../contracts/types.ts';
import { failedPodsOf } from './failures.ts';
import { countRestartsOf, type KnownRestart, knownRestarts, restartsByPod } from './in-place-restarts.ts';
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

/** What a pod does, for charts: it waits for a node, starts, runs, or is restarted in place again and again. */
type PodStage = 'waiting' | 'starting' | 'running' | 'restarting';

interface Stretch {
  readonly state: PodStage;
  readonly from: number;
  readonly to: number;
}

interface Life {
  readonly from: number;
  readonly to: number;
  readonly restarted: readonly KnownRestart[];
}

/** A kubelet waits five minutes at most before a restart, and from the beginning after ten minutes of running. */
const LONG_RUN_MS = 10 * 60_000;

/** Returns what a pod did from its creation to its end. */
function stretchesOf(pod: RecordedPod, { from, to, restarted }: Life): readonly Stretch[] {
  const within = (at: number) => Math.min(Math.max(at, from), to);
  const scheduled = within(pod.scheduledAt ? ms(pod.scheduledAt) : to);
  const ranAt = runningSince(pod);
  const running = Math.max(scheduled, within(ranAt ? ms(ranAt) : to));
  const stretches: Stretch[] = [
    { state: 'waiting', from, to: scheduled },
    { state: 'starting', from: scheduled, to: running },
    ...runsOf(pod, { from: running, to, restarted }),
  ];
  return joined(stretches.filter((one) => one.to > one.from));
}

/** A pod that failed is no longer ready, and one that was restarted in place was ready again later. */
function runningSince({ readyAt, startedAt, containers }: RecordedPod): string | undefined {
  const main = containers.filter(({ isInit, isEphemeral }) => !isInit && !isEphemeral);
  if (main.some(({ restarts }) => restarts > 0)) return startedAt;
  return readyAt ?? main.flatMap((container) => container.startedAt ?? []).sort()[0];
}

/** From its first start on. Between restarts that follow each other soon, a container mostly waits to be restarted. */
function runsOf(pod: RecordedPod, { from, to, restarted }: Life): Stretch[] {
  const knowsAll = restarted.length >= countRestartsOf(pod);
  const last = Math.max(from, waitsSince(pod, to));
  const times = restarted.map(({ at }) => Math.min(Math.max(at, from), last));
  const bounds = [from, ...times, last];
  const runs = bounds.slice(1).map((until, index): Stretch => {
    const isBetween = index < times.length && (index > 0 || !knowsAll);
    const isLong = knowsAll && until - bounds[index]! > LONG_RUN_MS;
    return { state: isBetween && !isLong ? 'restarting' : 'running', from: bounds[index]!, to: until };
  });
  return [...runs, { state: 'restarting', from: last, to }];
}

/** Since when a container waits for its restart that never came. */
function waitsSince({ containers }: RecordedPod, to: number): number {
  const ends = containers.flatMap(({ reason, endedAt }) =>
    reason === 'CrashLoopBackOff' && endedAt ? ms(endedAt) : [],
  );
  return Math.min(to, ...ends);
}

function joined(stretches: readonly Stretch[]): Stretch[] {
  const all: Stretch[] = [];
  for (const stretch of stretches) {
    const last = all.at(-1);
    if (last?.state === stretch.state) all[all.length - 1] = { ...last, to: stretch.to };
    else all.push(stretch);
  }
  return all;
}
