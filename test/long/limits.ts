import type { LedgerEntry } from '../../contracts/types.ts';
import type { Observed } from './observed.ts';
import { keyOfPod } from './observed.ts';

/** What a job says of its limits, and when it asked the watcher. */
export interface JudgedJob {
  readonly name: string;
  readonly entries: readonly LedgerEntry[];
  /** When it took an answer of the watcher, and when it had asked, in epoch milliseconds; in this order. */
  readonly answers: readonly { readonly at: number; readonly askedAt: number }[];
}

type Seen = Pick<Observed, 'pods' | 'nodes' | 'reports'>;

/** Between a change and a watch's event of it. */
const LATE_MS = 2_000;

/** Limits that were judged by what was not true after the question any more, a line each. */
export const wronglyJudged = (jobs: readonly JudgedJob[], observed: Seen): string[] =>
  jobs.flatMap((job) => {
    return judgements(job).flatMap((judged) => {
      const why = refuted(job, judged, observed);
      const { entry } = judged;
      return why ? [`${job.name}, ${entry.at}: ${entry.message}; but ${why}`] : [];
    });
  });

export const countJudgements = (jobs: readonly JudgedJob[]): number =>
  jobs.reduce((sum, job) => sum + judgements(job).length, 0);

interface Judgement {
  readonly entry: LedgerEntry;
  readonly at: number;
  readonly askedAt: number;
}

const JUDGING: ReadonlySet<string> = new Set(['stall', 'startUp', 'recovery', 'nodeLost']);

function judgements({ entries, answers }: JudgedJob): Judgement[] {
  return entries.flatMap((entry) => {
    if (entry.cause.type !== 'timer' || !JUDGING.has(entry.cause.timer) || entry.from === entry.to) return [];
    const at = Date.parse(entry.at);
    const askedAt = answers.findLast((answer) => answer.at <= at)?.askedAt ?? 0;
    return [{ entry, at, askedAt }];
  });
}

/** Returns what was certainly otherwise since the question. */
function refuted(job: JudgedJob, judged: Judgement, observed: Seen): string | undefined {
  const { entry, at, askedAt } = judged;
  if (askedAt === 0) return 'the watcher had never been asked';
  const [pod] = /\((\S+?)[:)]/.exec(entry.message)?.slice(1) ?? [];
  if (entry.reason === 'StartUpFailed' && pod) {
    const wasReady = observed.pods.wasWell(
      keyOfPod(job.name, attemptBefore(job, entry), pod),
      askedAt,
      at + LATE_MS,
    );
    return wasReady ? `${pod} was ready since ${timeOf(askedAt)}` : undefined;
  }
  if (entry.reason === 'Stalled') {
    const limitMs = Number(/stalledAfter: (\d+)s/.exec(entry.message)?.[1]) * 1_000;
    const report = observed.reports.get(job.name)?.findLast((time) => time <= askedAt);
    const isRecent = report !== undefined && askedAt - report < limitMs - LATE_MS;
    return isRecent
      ? `it reported progress at ${timeOf(report)}, and was asked at ${timeOf(askedAt)}`
      : undefined;
  }
  if (entry.cause.type === 'timer' && entry.cause.timer === 'recovery') {
    const pods = observed.pods.keys(keyOfPod(job.name, attemptBefore(job, entry), ''));
    const wanted = Object.values(entry.counts ?? {}).reduce((sum, role) => sum + role.wanted, 0);
    const wereReady =
      pods.length === wanted && pods.every((key) => observed.pods.wasWell(key, askedAt, at + LATE_MS));
    return wereReady ? `all its ${wanted} pods were ready since ${timeOf(askedAt)}` : undefined;
  }
  const node = entry.pods?.find(({ reason }) => reason === 'NodeLost')?.node;
  const isHealthy = node && observed.nodes.wasWell(node, askedAt, at + LATE_MS);
  return isHealthy ? `${node} was ready since ${timeOf(askedAt)}` : undefined;
}

/** An entry that begins an attempt has its number. */
const attemptBefore = ({ entries }: JudgedJob, { seq, attempt }: LedgerEntry): number =>
  entries.findLast((other) => other.seq < seq)?.attempt ?? attempt;

const timeOf = (time: number) => new Date(time).toISOString();
