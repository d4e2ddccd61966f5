import type { LedgerEntry } from '../../../contracts/types.ts';
import { eachTranslated, translated } from '../../servers/ask.ts';
import type { WaitOptions } from '../../servers/client-settings.ts';
import { type FollowOptions, untilAnswered } from '../../servers/follow-runs.ts';
import type { JobId } from '../../servers/job-id.ts';
import { outcomeOf } from '../../servers/outcome.ts';
import type { TemporalPort } from '../../servers/ports.ts';
import type { KnownStatus } from '../../servers/recorded-status.ts';
import { retryWhileAway } from '../../servers/retry-while-away.ts';
import { watchStatus } from '../../servers/watch-status.ts';
import { describeLastRun, startingRun } from './describe-job.ts';
import {
  type AskedChain,
  type FollowHistoryOptions,
  followLedger,
  type HistoryOptions,
  readLedger,
} from './ledger.ts';
import type { Calling } from './ledger-reader.ts';
import { type Outcome, typedOutcome } from './typed-outcome.ts';
import { waitForEnd } from './wait-for-end.ts';

/** Waits for the outcome, through restarts of servers and workers and lost connections. */
export const waitForOutcome = (ports: TemporalPort, job: JobId, options: WaitOptions): Promise<Outcome> =>
  waitForEnd(ports, job, {
    ...options,
    read: async (last) => typedOutcome(await outcomeOf(ports.temporal, last)),
  });

/** Yields the present status, then each change of it, and last the outcome. */
export const watchJob = (
  ports: TemporalPort,
  job: JobId,
  options: FollowOptions,
): AsyncGenerator<KnownStatus> =>
  eachTranslated({ ports, workflowId: job.workflowId }, async function* () {
    yield* watchStatus(ports.temporal, await startingRun(ports, job, options), options);
  });

/** Returns the entries of the ledger as far as they are written now. */
export const jobLedger = (
  ports: TemporalPort,
  job: JobId,
  options: HistoryOptions,
): Promise<readonly LedgerEntry[]> =>
  translated({ ports, workflowId: job.workflowId }, async () => {
    const call: Calling = (work) => retryWhileAway(ports.temporal, options, work);
    const entries: LedgerEntry[] = [];
    for await (const entry of readLedger(await asked(ports, job, call), options)) entries.push(entry);
    return entries;
  });

/** Yields the entries of the ledger, and then each new one until the job has ended. */
export const followJobLedger = (
  ports: TemporalPort,
  job: JobId,
  options: FollowHistoryOptions,
): AsyncGenerator<LedgerEntry> =>
  eachTranslated({ ports, workflowId: job.workflowId }, async function* () {
    const call: Calling = (work) => untilAnswered(ports.temporal, options, work);
    yield* followLedger(await asked(ports, job, call), options, options);
  });

const asked = async (ports: TemporalPort, job: JobId, call: Calling): Promise<AskedChain> => ({
  client: ports.temporal,
  described: await call(() => describeLastRun(ports, job)),
  call,
});
