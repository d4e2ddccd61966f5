import type { JobSteps, LedgerEntry, LedgerSteps } from '../../../contracts/types.ts';
import { ms } from '../../facts/times.ts';
import { progressPointsOf } from '../../uses/progress-points.ts';

/** How far a program was at a time. */
interface Reached {
  readonly at: number;
  readonly value: number;
}

/** How far an attempt came. */
export interface AttemptProgress {
  readonly attempt: number;
  /** What is known, in order: of steps the first and the last one that its log told. */
  readonly points: readonly Reached[];
  /** The step of the checkpoint that it went on from, if its log told it. */
  readonly resumed?: number;
  /** The last complete checkpoint. */
  readonly saved?: Reached;
}

export interface JobProgress {
  /** `steps`: as logs told them; `progress`: numbers that the policy’s pattern or an annotation reported. */
  readonly of: 'steps' | 'progress';
  readonly attempts: readonly AttemptProgress[];
  /** Steps of the whole run. */
  readonly total?: number;
}

interface Told {
  readonly entries: readonly LedgerEntry[];
  /** What the log of a running job tells now. */
  readonly steps?: JobSteps | undefined;
}

/** Returns how far the attempts of a job came; undefined if nothing tells it. */
export function jobProgressOf({ entries, steps }: Told): JobProgress | undefined {
  const reports = Map.groupBy(progressPointsOf(entries), ({ attempt }) => attempt);
  if (reports.size > 0)
    return { of: 'progress', attempts: [...reports].map(([attempt, points]) => ({ attempt, points })) };
  const told = entries.flatMap((entry) => (entry.steps ? [entry.steps] : [])).map(attemptOf);
  const now = steps && nowOf(steps, entries.at(-1)?.attempt ?? 1, told);
  const attempts = now ? [...told, now] : told;
  if (attempts.length === 0) return undefined;
  return { of: 'steps', attempts, ...(steps?.total === undefined ? {} : { total: steps.total }) };
}

function attemptOf({ attempt, first, last, saved, resumed }: LedgerSteps): AttemptProgress {
  const ends = [first, last].map(({ step, at }) => ({ at: ms(at), value: step }));
  return {
    attempt,
    points: ends[0]!.at < ends[1]!.at ? ends : ends.slice(1),
    ...(resumed?.step === undefined ? {} : { resumed: resumed.step }),
    ...(saved?.step === undefined ? {} : { saved: { at: ms(saved.at), value: saved.step } }),
  };
}

/** The attempt that runs has no entry of its steps yet. */
function nowOf(
  { step, at }: JobSteps,
  attempt: number,
  told: readonly AttemptProgress[],
): AttemptProgress | undefined {
  if (step === undefined || at === undefined || told.some((one) => one.attempt === attempt)) return undefined;
  return { attempt, points: [{ at: ms(at), value: step }] };
}
