import { type SpentTime, spentTimesOf } from '../../facts/accounts.ts';
import { type AttemptFacts, attemptsOf } from '../../facts/attempts.ts';
import { courseOf } from '../../facts/course.ts';
import { type PodLife, podLivesOf } from '../../facts/pod-lives.ts';
import { type Span, spansOf } from '../../facts/spans.ts';
import { ms } from '../../facts/times.ts';
import { type Wait, waitsOf } from '../../facts/waits.ts';
import { type JobUses, jobUsesOf } from '../../uses/job-uses.ts';
import type { ReportData } from '../report-data.ts';
import { type FailureGroup, failureGroupsOf } from './failure-groups.ts';
import { type JobProgress, jobProgressOf } from './job-progress.ts';

/** What follows from a report's data; each section shows a part of it. */
export interface ReportFacts {
  readonly data: ReportData;
  readonly hasEnded: boolean;
  readonly from: number;
  /** When the job ended, or when it was looked at. */
  readonly to: number;
  readonly spans: readonly Span[];
  readonly lives: readonly PodLife[];
  /** Attempts that have no record of their pods. */
  readonly unrecorded: readonly number[];
  readonly attempts: readonly AttemptFacts[];
  readonly failures: readonly FailureGroup[];
  readonly waits: readonly Wait[];
  readonly accounts: readonly SpentTime[];
  /** How far it came; absent if nothing tells it. */
  readonly progress?: JobProgress;
  /** What its devices were used for. */
  readonly uses: JobUses;
}

export function reportFactsOf(data: ReportData): ReportFacts {
  const { entries, evidence, pods, manifest } = data;
  const from = ms(data.submitted.at);
  const end = courseOf(entries)?.endedAt ?? data.closed?.at;
  const to = Math.max(from, ms(end ?? data.asOf));
  const spans = spansOf(entries, to);
  const lives = podLivesOf(pods, entries, to);
  const attempts = attemptsOf(entries, to);
  const recorded = new Set(lives.map(({ attempt }) => attempt));
  const unrecorded = attempts.map(({ number }) => number).filter((number) => !recorded.has(number));
  const progress = jobProgressOf(data);
  return {
    ...{ data, hasEnded: end !== undefined, from, to, spans, lives, unrecorded, attempts },
    failures: failureGroupsOf(entries, evidence),
    waits: waitsOf(entries, to).filter((wait) => wait.to > wait.from),
    accounts: spentTimesOf(spans),
    ...(progress ? { progress } : {}),
    uses: jobUsesOf(entries, { until: to, manifest }),
  };
}
