import type { RecordedPod } from '../../contracts/types.ts';
import { countRestartsOf, type KnownRestart } from './in-place-restarts.ts';
import { ms } from './times.ts';

/** What a pod does, for charts: it waits for a node, starts, runs, or is restarted in place again and again. */
type PodStage = 'waiting' | 'starting' | 'running' | 'restarting';

export interface Stretch {
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
export function stretchesOf(pod: RecordedPod, { from, to, restarted }: Life): readonly Stretch[] {
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
