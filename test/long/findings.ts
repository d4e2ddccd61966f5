import { sandboxLayout } from '@signalbox/sandbox';
import { inParallel } from '../../activities/support/in-parallel.ts';
import type { LedgerReplay } from '../../client/use-cases/observe/ledger.ts';
import { errorMessage } from '../../language/error-message.ts';
import { replayJobs } from '../../worker/replay/replay-jobs.ts';
import { AT_ONCE } from '../scenarios/ledger-sources.ts';
import { type Audited, readAuditLog } from './audit-log.ts';
import { type AuditedPod, auditedPods } from './audited-pods.ts';
import type { ChaosJobs } from './chaos-participants.ts';
import { type JobRuns, readRuns } from './histories.ts';
import { countJudgements, type JudgedJob } from './limits.ts';
import type { TestEnvironment } from './test-environment.ts';

/** What the servers have on record, by which the jobs are judged. */
export interface Findings {
  readonly requests: readonly Audited[];
  readonly pods: readonly AuditedPod[];
  readonly records: ReadonlyMap<string, JobRuns>;
  readonly limits: readonly JudgedJob[];
  /** Jobs whose histories do not replay, a line each. */
  readonly unreadable: readonly string[];
  /** In numbers, for people. */
  readonly seen: Readonly<Record<string, number>>;
}

export async function readFindings(
  { stage, engines }: TestEnvironment,
  { handles, foreignObjects, ledger }: ChaosJobs,
): Promise<Findings> {
  const records = new Map<string, JobRuns>();
  for (const [name, { workflowId }] of handles) records.set(name, await readRuns(stage.temporal, workflowId));
  const { limits, unreadable } = await readLimits(handles, records);
  const { requests, broken } = await readAuditLog(sandboxLayout(stage.sandbox.dir).auditLog, stage.namespace);
  const pods = auditedPods(requests.filter(({ name = '' }) => !foreignObjects.names.has(name)));
  const refused = requests.filter(({ code, verb }) => code === 403 && verb === 'create');
  const seen = {
    'pods created': pods.length,
    'pods that only the watch saw': Math.max(0, ledger.created - pods.length),
    'requests in the audit log': requests.length,
    'half lines in the audit log': broken,
    'creations that the API server itself refused': refused.length,
    'engines that ended by themselves': sumOf(Object.values(engines), ({ ownEnds }) => ownEnds),
    'limits that were judged': countJudgements(limits),
    'answers of watchers': sumOf(limits, ({ answers }) => answers.length),
    'runs of workflows': sumOf([...records.values()], ({ runs }) => runs),
    'workflow tasks refused after a query': sumOf([...records.values()], ({ refused }) => refused),
    'events in histories': sumOf([...records.values()], ({ events }) => events),
  };
  return { requests, pods, records, limits, unreadable, seen };
}

async function readLimits(
  handles: ChaosJobs['handles'],
  records: ReadonlyMap<string, JobRuns>,
): Promise<Pick<Findings, 'limits' | 'unreadable'>> {
  const limits: JudgedJob[] = [];
  const unreadable: string[] = [];
  await inParallel([...handles], AT_ONCE, async ([name, handle]) => {
    const answers = records
      .get(name)!
      .digests.flatMap(({ at, digest: { answers: askedAt } }) =>
        askedAt === undefined ? [] : [{ at, askedAt }],
      );
    // An answer to a query of an ended job is a replay of it. Temporal passes no query on of a job that was terminated while its
    // workflow tasks timed out.
    const entries = await handle.history({ replay: replayed }).catch((error) => {
      unreadable.push(`${name}: its history cannot be read: ${causesOf(error).map(errorMessage).join(': ')}`);
      return [];
    });
    limits.push({ name, entries, answers });
  });
  return { limits, unreadable };
}

const replayed: LedgerReplay = async (job) => {
  for await (const { entries, error } of replayJobs([job], { entriesOnly: true })) {
    if (error) throw error;
    return entries;
  }
  return [];
};

const causesOf = (error: unknown): unknown[] => [
  error,
  ...(error instanceof Error && error.cause ? causesOf(error.cause) : []),
];

const sumOf = <T>(all: readonly T[], of: (one: T) => number): number =>
  all.reduce((sum, one) => sum + of(one), 0);
