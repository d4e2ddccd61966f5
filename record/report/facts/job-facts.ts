import { gpusByRole } from '../../../contracts/gpus.ts';
import { isFinal } from '../../../contracts/status.ts';
import type { ReportData } from '../report-data.ts';
import { heldByCounts, heldByPods, type SpentTime, spentTimesOf } from './accounts.ts';
import { attemptsOf, type ToldAttempt } from './attempts.ts';
import { type FailureGroup, failureGroupsOf } from './failures.ts';
import { type PodLife, podLivesOf } from './pod-lives.ts';
import { type Span, spansOf } from './spans.ts';
import { ms } from './time.ts';
import { type WaitedFor, waitedForIn } from './waits.ts';

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
  readonly attempts: readonly ToldAttempt[];
  readonly failures: readonly FailureGroup[];
  readonly waits: readonly WaitedFor[];
  /** GPUs of a pod, by role in lower case. */
  readonly gpus: ReadonlyMap<string, number>;
  readonly accounts: readonly SpentTime[];
}

export function reportFactsOf(data: ReportData): ReportFacts {
  const { entries, evidence, pods, manifest } = data;
  const from = ms(data.submitted.at);
  const end = entries.find(({ phase }) => isFinal(phase))?.at ?? data.closed?.at;
  const to = Math.max(from, ms(end ?? data.asOf));
  const spans = spansOf(entries, to);
  const lives = podLivesOf(pods, entries, to);
  const attempts = attemptsOf(entries, to);
  const recorded = new Set(lives.map(({ attempt }) => attempt));
  const unrecorded = attempts.map(({ number }) => number).filter((number) => !recorded.has(number));
  const gpus = new Map(gpusByRole(manifest).map(({ role, each }) => [role, each]));
  const held = unrecorded.length === 0 ? heldByPods(lives, gpus) : heldByCounts(entries, gpus);
  return {
    ...{ data, hasEnded: end !== undefined, from, to, spans, lives, unrecorded, attempts, gpus },
    failures: failureGroupsOf(entries, evidence),
    waits: waitedForIn(entries, to),
    accounts: spentTimesOf(spans, held),
  };
}
