import { isBeginning, isFinal, PHASES } from '../../contracts/status.ts';
import type { Phase } from '../../contracts/types.ts';
import { painted } from '../print/output.ts';
import type { TopJob } from './top-job.ts';

/** What the head of `top` adds up. */
interface TopSums {
  readonly phases: Readonly<Partial<Record<Phase, number>>>;
  /** What the live jobs of the table request, by phase. */
  readonly gpus: Readonly<Partial<Record<Phase, number>>>;
  /** Reasons of jobs that wait, and of those that failed, of the table. */
  readonly waits: Readonly<Record<string, number>>;
  readonly failures: Readonly<Record<string, number>>;
}

export function topSums(
  jobs: readonly TopJob[],
  phases: Readonly<Partial<Record<Phase, number>>> = sumsBy(jobs, ({ phase }) => phase),
): TopSums {
  const live = jobs.filter(({ phase }) => !isFinal(phase));
  const gpus = sumsBy(
    live,
    ({ phase }) => phase,
    ({ details }) => details?.gpus ?? 0,
  );
  const waits = jobs.filter(({ phase }) => isBeginning(phase) || phase === 'Restarting');
  const failures = jobs.filter(({ phase }) => phase === 'Failed');
  return { phases, gpus, waits: byReason(waits), failures: byReason(failures) };
}

const byReason = (jobs: readonly TopJob[]) => sumsBy(jobs, ({ reason }) => reason);

function sumsBy<K extends string>(
  jobs: readonly TopJob[],
  key: (job: TopJob) => K | undefined,
  amount: (job: TopJob) => number = () => 1,
): Partial<Record<K, number>> {
  const sums: Partial<Record<K, number>> = {};
  for (const job of jobs) {
    const name = key(job);
    if (name !== undefined && amount(job) > 0) sums[name] = (sums[name] ?? 0) + amount(job);
  }
  return sums;
}

/** Formats the sums as lines, each as far as there is something. */
export function sumsText({ phases, gpus, waits, failures }: TopSums): string[] {
  const parts = [
    ['GPUs', byPhase(gpus)],
    ['waits', mostFrequent(waits)],
    ['failures', mostFrequent(failures)],
  ].filter(([, text]) => text);
  return [byPhase(phases) || 'no jobs', parts.map((part) => part.join('  ')).join('     ')];
}

const byPhase = (sums: Readonly<Partial<Record<Phase, number>>>): string =>
  PHASES.flatMap((phase) => (sums[phase] ? [painted(phase, `${phase} ${sums[phase]}`)] : [])).join('  ');

/** Others are seen by their filter. */
const MOST = 3;

const mostFrequent = (sums: Readonly<Record<string, number>>): string =>
  Object.entries(sums)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MOST)
    .map(([reason, count]) => `${reason} ${count}`)
    .join('  ');
