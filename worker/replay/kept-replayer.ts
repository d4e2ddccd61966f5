import {
  type JobHistories,
  openReplayer,
  type ReplayedJob,
  type Replayer,
  type ReplayOptions,
} from './replayer.ts';

/** Replays jobs again and again, as `replayJobs` does once. */
export interface KeptReplayer {
  replayJobs(jobs: AsyncIterable<JobHistories>): AsyncGenerator<ReplayedJob, void, undefined>;
  close(): Promise<void>;
}

/** Jobs often end one after the other, and a replayer takes more time to open than for some jobs. */
const KEEP_MS = 60_000;

/** Keeps the last replayer open for a minute, in case that more jobs come. */
export function keepReplayer(options: ReplayOptions): KeptReplayer {
  let kept: { readonly replayer: Replayer; readonly timer: NodeJS.Timeout } | undefined;
  let isClosed = false;

  function take(): Replayer | undefined {
    const taken = kept;
    clearTimeout(taken?.timer);
    kept = undefined;
    return taken?.replayer;
  }

  async function giveBack(replayer: Replayer): Promise<void> {
    if (isClosed || kept) return replayer.close();
    const timer = setTimeout(() => void take()?.close(), KEEP_MS).unref();
    kept = { replayer, timer };
  }

  return {
    replayJobs: async function* replayJobs(jobs) {
      const replayer = take() ?? (await openReplayer(options));
      try {
        for await (const job of jobs) yield await replayer.replay(job);
      } finally {
        await giveBack(replayer);
      }
    },
    close: async () => {
      isClosed = true;
      await take()?.close();
    },
  };
}
