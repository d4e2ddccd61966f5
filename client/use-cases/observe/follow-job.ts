import type { LedgerEntry } from '../../../contracts/ledger.ts';
import { timeoutSignal } from '../../../language/timers.ts';
import { WaitTimeoutError } from '../../errors/errors.ts';
import { eachTranslated, translated } from '../../servers/ask.ts';
import type { WaitOptions } from '../../servers/client-settings.ts';
import { closedRunOf, type FollowOptions, untilAnswered } from '../../servers/follow-runs.ts';
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

/** Waits for the outcome, through restarts of servers and workers and lost connections. */
export async function waitForOutcome(
  ports: TemporalPort,
  job: JobId,
  { timeout, signal }: WaitOptions,
): Promise<Outcome> {
  const limit = timeout === undefined ? undefined : timeoutSignal(timeout);
  const signals = [signal, limit].filter((one) => one !== undefined);
  const options = { signal: signals.length > 0 ? AbortSignal.any(signals) : undefined };
  const { temporal } = ports;
  const { workflowId } = job;
  try {
    return await translated({ ports, workflowId }, async () => {
      const last = await closedRunOf(temporal, await startingRun(ports, job, options), options);
      return typedOutcome(await untilAnswered(temporal, options, () => outcomeOf(temporal, last)));
    });
  } catch (error) {
    if (!limit?.aborted || error !== limit.reason) throw error;
    throw new WaitTimeoutError(workflowId, timeout!);
  }
}

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
