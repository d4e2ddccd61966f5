import { WorkerAwayError } from '../../client/errors/errors.ts';
import type { LedgerReplay } from '../../client/use-cases/observe/ledger.ts';
import type { TemporalSettings } from '../../contracts/settings.ts';
import { note } from '../print/output.ts';

/** Returns what derives a ledger on this machine, as a worker would, and says so. */
export const replayHere =
  (settings: TemporalSettings): LedgerReplay =>
  async (job, why = new WorkerAwayError(job.workflowId)) => {
    note(`warning: ${why.message} Its histories are replayed here. ${why.remedy}`);
    const [{ replayJobs }, { loadDataConverter }] = await Promise.all([
      import('../../worker/replay/replay-jobs.ts'),
      import('../../temporal/connection.ts'),
    ]);
    const dataConverter = await loadDataConverter(settings);
    for await (const { entries, error } of replayJobs([job], { dataConverter })) {
      if (error) note(`warning: the ledger ends where its histories no longer replay: ${error.message}`);
      return entries;
    }
    return [];
  };
