import { archivedSummary } from '../client/use-cases/archive/archived-summary.ts';
import { findArchived, type WantedArchive } from '../client/use-cases/archive/find-archived.ts';
import { listArchived } from '../client/use-cases/archive/list-archived.ts';
import { isChosen } from '../client/use-cases/observe/ledger-choice.ts';
import { whyArchived } from '../client/use-cases/why/why-archived.ts';
import type { RecordedPod } from '../contracts/types.ts';
import type { ArchiveError } from '../record/archive/archive-errors.ts';
import { type ArchivedJob, runIdsOf } from '../record/archive/archived-job.ts';
import type { JobArchive } from '../record/archive/job-archive.ts';
import { jobSelector } from './find-job.ts';
import { BY_NUMBER, BY_POD, ledgerChoice } from './live-jobs.ts';
import { pagedAnswer, positionIn, wholeAnswer } from './paging.ts';
import type { Answers, RpcCall } from './rpc-call.ts';

/** Answers about archived jobs. */
export const archiveAnswers = {
  async 'archive.list'({ archive, cursor }, { limit, ...filter }) {
    const unreadable: string[] = [];
    const endedBefore = earliest(filter.endedBefore, endOfLast(cursor));
    const jobs = listArchived(archive(), { ...filter, endedBefore }, leftOut(unreadable));
    const command = 'signalbox list --archived -o jsonl';
    const page = await pagedAnswer(listed(jobs), { cursor, keyOf: positionOf, limit, command });
    return unreadable.length > 0 ? { ...page, unreadable } : page;
  },
  async 'archive.find'({ archive }, { runId, ...named }) {
    const found = await foundIn({ archive }, { ...jobSelector(named), runId });
    const { submitted, missing = [], status, manifest, revisions, policy, archivedAt } = found.job;
    const recorded = { missing, status, manifest, revisions, policy, archivedAt, ref: found.ref };
    return wholeAnswer(
      { ...identified(found.job), why: submitted.why, ...recorded },
      commandFor('get', found),
    );
  },
  async 'archive.history'(call, { workflowId, firstRunId, ...given }) {
    const found = await namedArchive(call, { workflowId, firstRunId });
    const choice = ledgerChoice(given);
    const entries = (await found.entries()).filter((entry) => isChosen(entry, choice));
    return pagedAnswer(entries, { cursor: call.cursor, ...BY_NUMBER, command: commandFor('history', found) });
  },
  async 'archive.evidence'(call, job) {
    const found = await namedArchive(call, job);
    const records = await found.evidence();
    return pagedAnswer(records, { cursor: call.cursor, ...BY_POD, command: commandFor('evidence', found) });
  },
  async 'archive.why'(call, job) {
    const found = await namedArchive(call, job);
    return wholeAnswer(await whyArchived(found), commandFor('why', found));
  },
  async 'archive.pods'(call, job) {
    const found = await namedArchive(call, job);
    const keyOf = ({ attempt, pod, uid }: RecordedPod): string => `${attempt}/${pod}/${uid}`;
    return pagedAnswer(await found.pods(), {
      cursor: call.cursor,
      keyOf,
      command: commandFor('report', found),
    });
  },
} satisfies Partial<Answers>;

/** One archive that cannot be read is no reason to list none. A store that is away is. */
const leftOut = (unreadable: string[]) => (error: ArchiveError) => {
  if (error.code === 'ArchiveAway') throw error;
  unreadable.push(error.message);
};

async function* listed(jobs: AsyncIterable<JobArchive>) {
  for await (const { job } of jobs) yield identified(job);
}

type Listed = ReturnType<typeof identified>;

function identified(job: ArchivedJob) {
  const { workflowId, firstRunId } = job;
  return { workflowId, firstRunId, runIds: runIdsOf(job), summary: archivedSummary(job) };
}

const positionOf = ({ firstRunId, summary: { endTime } }: Listed): string => `${endTime} ${firstRunId}`;

/** What ended later need not be read again for the next page. */
function endOfLast(cursor: string | undefined): string | undefined {
  const end = Date.parse(positionIn(cursor)?.after.split(' ')[0] ?? '');
  return Number.isNaN(end) ? undefined : new Date(end + 1).toISOString();
}

const earliest = (...times: readonly (string | undefined)[]): string | undefined =>
  times.filter((time) => time !== undefined).sort((one, other) => Date.parse(one) - Date.parse(other))[0];

const foundIn = async ({ archive }: Pick<RpcCall, 'archive'>, wanted: WantedArchive): Promise<JobArchive> =>
  (await findArchived(archive(), wanted)).job;

const commandFor = (command: string, { job: { name, namespace, firstRunId } }: JobArchive) =>
  `signalbox ${command} ${name}@${firstRunId} -n ${namespace} --archived`;

interface Named {
  readonly workflowId: string;
  readonly firstRunId: string;
}

/** Throws `JobNotFoundError`. */
export const namedArchive = (
  call: Pick<RpcCall, 'archive'>,
  { workflowId, firstRunId: runId }: Named,
): Promise<JobArchive> => foundIn(call, { workflowId, runId });
