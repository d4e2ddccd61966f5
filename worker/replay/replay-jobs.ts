import { type JobHistories, openReplayer, type ReplayedJob, type ReplayOptions } from './replayer.ts';

/** Replays jobs. Yields each one as soon as it is replayed, in the order given. */
export async function* replayJobs(
  jobs: Iterable<JobHistories> | AsyncIterable<JobHistories>,
  options: ReplayOptions = {},
): AsyncGenerator<ReplayedJob, void, undefined> {
  const replayer = await openReplayer(options);
  try {
    for await (const job of jobs) yield await replayer.replay(job);
  } finally {
    await replayer.close();
  }
}
