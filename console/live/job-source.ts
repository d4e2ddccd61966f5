import type { JobPlace } from '../../contracts/console-address.ts';
import { errorMessage } from '../../language/error-message.ts';
import { JobFromArchive } from '../reading/job-from-archive.ts';
import type { JobViews } from '../reading/job-views.ts';
import type { Source } from './feed.ts';

/** Each new entry of a job's ledger. `after`: the last one that the first viewer knows. */
export const jobSource =
  (views: JobViews, place: JobPlace, after: number): Source =>
  async (tell, signal) => {
    const job = await views.find(place);
    if (job instanceof JobFromArchive) return tell({ event: 'over' });
    const onInterrupted = (error: unknown) => tell({ event: 'away', data: { message: errorMessage(error) } });
    for await (const { seq, phase, message } of job.followHistory({
      from: after + 1,
      signal,
      onInterrupted,
    })) {
      views.expire(place);
      tell({ event: 'entry', id: seq, data: { phase, message } });
    }
    views.expire(place);
    tell({ event: 'over' });
  };
