import type { LedgerEntry } from '../../../contracts/ledger.ts';
import type { RecordedPod } from '../../../contracts/pods-record.ts';
import { ms } from './time.ts';

/** What a pod does, for charts: it waits for a node, starts, or runs. */
export type PodStage = 'waiting' | 'starting' | 'running';

/** The life of one pod: one uid. */
export interface PodLife {
  readonly pod: string;
  readonly uid: string;
  readonly role: string;
  readonly index: number;
  readonly attempt: number;
  readonly node?: string;
  readonly stretches: readonly { readonly state: PodStage; readonly from: number; readonly to: number }[];
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
  const failed = new Set(entries.flatMap((entry) => entry.pods ?? []).map(({ pod, uid }) => uid ?? pod));
  return pods.map((pod) => lifeOf(pod, { end: ends.get(pod.attempt), until, failed }));
}

interface Known {
  readonly end?: number;
  readonly until: number;
  readonly failed: ReadonlySet<string>;
}

function lifeOf(pod: RecordedPod, { end, until, failed }: Known): PodLife {
  const { name, uid, role, index, attempt, node } = { ...pod, name: pod.pod };
  const from = ms(pod.createdAt);
  const ended = pod.endedAt ?? pod.deletedAt;
  const to = Math.max(from, ended ? ms(ended) : (end ?? until));
  const failure = pod.containers.find(({ exitCode = 0 }) => exitCode !== 0);
  const hasFailed = pod.phase === 'Failed' || failed.has(uid);
  return {
    ...{ pod: name, uid, role, index, attempt, node, from, to },
    stretches: stretchesOf(pod, from, to),
    ended: hasFailed ? 'failed' : endOf(pod, end),
    ...(hasFailed && failure
      ? { failure: { container: failure.name, exitCode: failure.exitCode, reason: failure.reason } }
      : {}),
  };
}

function endOf(pod: RecordedPod, end: number | undefined): PodLife['ended'] {
  if (pod.phase === 'Succeeded') return 'succeeded';
  return end === undefined && !pod.endedAt && !pod.deletedAt ? 'not yet' : 'deleted';
}

function stretchesOf(pod: RecordedPod, from: number, to: number): PodLife['stretches'] {
  const scheduled = pod.scheduledAt ? ms(pod.scheduledAt) : to;
  const ranAt = runningSince(pod);
  const running = ranAt ? ms(ranAt) : to;
  const within = (at: number) => Math.min(Math.max(at, from), to);
  const stretches = [
    { state: 'waiting', from, to: within(scheduled) },
    { state: 'starting', from: within(scheduled), to: within(Math.max(scheduled, running)) },
    { state: 'running', from: within(Math.max(scheduled, running)), to },
  ] as const;
  return stretches.filter((one) => one.to > one.from);
}

/** A pod that failed is no longer ready, and one that was restarted in place was ready again later. */
function runningSince({ readyAt, startedAt, containers }: RecordedPod): string | undefined {
  const main = containers.filter(({ isInit, isEphemeral }) => !isInit && !isEphemeral);
  if (main.some(({ restarts }) => restarts > 0)) return startedAt;
  return readyAt ?? main.flatMap((container) => container.startedAt ?? []).sort()[0];
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
