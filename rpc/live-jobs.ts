import { RefusedError } from '../client/errors/errors.ts';
import type { JobId } from '../client/servers/job-id.ts';
import { RefusedQueryError } from '../client/servers/query-job.ts';
import { jobLedger, waitForOutcome } from '../client/use-cases/observe/follow-job.ts';
import type { HistoryOptions } from '../client/use-cases/observe/ledger.ts';
import { isJobOpen } from '../client/use-cases/observe/recorded-job.ts';
import { jobEvidence } from '../client/use-cases/pods/job-evidence.ts';
import type { RpcArguments } from '../contracts/schemas/rpc.ts';
import type { EvidenceRecord, LedgerEntry } from '../contracts/types.ts';
import { foundJob, selectedJob } from './find-job.ts';
import { pagedAnswer, wholeAnswer } from './paging.ts';
import type { Answers, RpcCall } from './rpc-call.ts';

/** Answers about jobs that Temporal has. */
export const jobAnswers = {
  async history(call, { job, ...choice }) {
    const { cursor, signal } = call;
    const found = await foundJob(call, job);
    const entries = await readableLedger(call, found, { ...ledgerChoice(choice), signal });
    return pagedAnswer(entries, { cursor, ...BY_NUMBER, command: `signalbox history ${idFlag(job)}` });
  },
  async outcome(call, { job }) {
    const { ports, signal } = call;
    const found = await foundJob(call, job);
    if (await isJobOpen(ports, found, { signal })) throw hasNotEnded(job.workflowId);
    return wholeAnswer(await waitForOutcome(ports, found, { signal }), `signalbox get ${idFlag(job)}`);
  },
  async evidence(call, { job, ...choice }) {
    const { ports, cursor } = call;
    const records = jobEvidence(ports, await foundJob(call, job), choice);
    return pagedAnswer(records, { cursor, ...BY_POD, command: `signalbox evidence ${idFlag(job)}` });
  },
  async find(call, named) {
    return { result: await selectedJob(call, named) };
  },
} satisfies Partial<Answers>;

/** A client that follows a job asks again while a worker is away. About a closed job that Temporal refuses to ask, it never comes. */
async function readableLedger(
  { ports, signal }: RpcCall,
  job: JobId,
  options: HistoryOptions,
): Promise<readonly LedgerEntry[]> {
  try {
    return await jobLedger(ports, job, options);
  } catch (error) {
    if (!(error instanceof RefusedQueryError) || (await isJobOpen(ports, job, { signal }))) throw error;
    throw new RefusedError(error.message, { cause: error, remedy: error.remedy });
  }
}

/** Which entries, as use cases take it. */
export const ledgerChoice = ({ attempt, since, start }: Omit<RpcArguments<'history'>, 'job'>) => ({
  attempt,
  since: since === undefined ? undefined : new Date(since),
  from: start,
});

export const BY_NUMBER = { keyOf: ({ seq }: LedgerEntry): string => String(seq) };
export const BY_POD = {
  keyOf: ({ summary: { attempt, pod, uid } }: EvidenceRecord): string => `${attempt}/${pod}/${uid}`,
};

const hasNotEnded = (workflowId: string) =>
  new RefusedError(`${workflowId} has not ended: its workflow is open.`, {
    remedy: 'Wait for the result of its workflow, or ask for its status.',
  });

const idFlag = ({ workflowId }: { readonly workflowId: string }) => `--workflow-id ${workflowId}`;
