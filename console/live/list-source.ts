import type { PageChoice } from '../../client/use-cases/find/page-of-jobs.ts';
import { errorMessage } from '../../language/error-message.ts';
import { pauseMsAfter } from '../../language/pause-after-reading.ts';
import { pause } from '../../language/timers.ts';
import type { JobLists } from '../reading/job-lists.ts';
import type { Source } from './feed.ts';

/** At least. A list that takes long to read is read less often: it must not load Temporal. */
const PAUSE_MS = 2_000;

/** Each change of a page of a list. */
export const listSource =
  (lists: JobLists, choice: PageChoice): Source =>
  async (tell, signal) => {
    let version: string | undefined;
    let isAway = false;
    while (!signal.aborted) {
      const from = performance.now();
      const read = await lists.read(choice).catch((error: unknown) => ({ value: undefined, error }));
      if (read.error !== undefined && !isAway)
        tell({ event: 'away', data: { message: `as of then: ${errorMessage(read.error)}` } });
      const changed = read.error === undefined && (isAway || read.value?.version !== version);
      if (changed) tell({ event: 'changed', id: read.value?.version });
      isAway = read.error !== undefined;
      version = read.value?.version ?? version;
      const took = performance.now() - from;
      await pause(pauseMsAfter(took, PAUSE_MS, Number.POSITIVE_INFINITY), signal);
    }
  };
