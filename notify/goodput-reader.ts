import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { attemptGoodput } from '../client/use-cases/cost/attempt-goodput.ts';
import type { LedgerReplay } from '../client/use-cases/observe/ledger.ts';
import { replayJobs } from '../worker/replay/replay-jobs.ts';
import type { ReplayOptions } from '../worker/replay/replayer.ts';
import type { ReadGoodput } from './news/with-goodput.ts';

interface Tools extends Pick<ReplayOptions, 'dataConverter' | 'workflowBundle'> {
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Returns what reads the goodput of attempts. It follows from the ledger, which a replay of the histories gives in this process:
 * the job's worker is not asked. A job whose histories do not replay is told by all other routes.
 */
export function goodputReader(temporal: Client, { log, ...options }: Tools): ReadGoodput {
  return async (job, until) => {
    try {
      return await attemptGoodput(temporal, job, { replay: replayed(options), until });
    } catch (error) {
      log.warn(
        { err: error, workflowId: job.workflowId },
        'the goodput of a job is not known, so it is not told',
      );
      return new Map();
    }
  };
}

const replayed =
  (options: Pick<ReplayOptions, 'dataConverter' | 'workflowBundle'>): LedgerReplay =>
  async (job) => {
    for await (const { entries, error } of replayJobs([job], { ...options, entriesOnly: true })) {
      if (error) throw error;
      return entries;
    }
    return [];
  };
