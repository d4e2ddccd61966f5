import type { Client } from '@temporalio/client';
import { ANSWER_MS } from '../../contracts/timing.ts';
import type { JobStatus } from '../../contracts/types.ts';
import { askStatus } from './ask-status.ts';
import { closedRunOf, type FollowOptions, type Run, stepsOf } from './follow-runs.ts';
import { outcomeOf } from './outcome.ts';

/** Yields the present status, then each change, and last the outcome. Continues through restarts of servers and workers. */
export async function* watchStatus(
  client: Client,
  first: Run,
  options: FollowOptions,
): AsyncGenerator<JobStatus> {
  const isNews = newsFilter();
  let last = first;
  for await (const run of stepsOf(client, first, options)) {
    last = run;
    const status = await askStatus(client, run, ANSWER_MS).catch((error) => {
      options.signal?.throwIfAborted();
      // The next change brings the next status; if the job is gone, the request for the next change fails.
      options.onInterrupted?.(error);
    });
    if (status && isNews(status)) yield status;
  }
  const outcome = await outcomeOf(client, await closedRunOf(client, last, options));
  if (isNews(outcome)) yield outcome;
}

/** Returns a function that compares each status with the one before. */
function newsFilter(): (status: JobStatus) => boolean {
  let last = '';
  return ({ attempt, restarts, state, timeline, cause, progress }) => {
    // A full timeline keeps its length, so compare its last entry too.
    const now = JSON.stringify([attempt, restarts, state, timeline.length, timeline.at(-1), cause, progress]);
    const isNews = now !== last;
    last = now;
    return isNews;
  };
}
