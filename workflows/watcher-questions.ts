import { condition } from '@temporalio/workflow';
import type { AskWatcherRequest } from '../activities/ask-watcher.ts';
import { timeOf } from '../language/time.ts';
import { NODE_LOST, RECOVERY, STALL, START_UP } from '../machines/model/job-context.ts';
import { askWatcher } from './activity-options.ts';

/** Timers that judge a job by its digest: it must be fresh when they fire. */
const JUDGING: ReadonlySet<string> = new Set([STALL, START_UP, RECOVERY, NODE_LOST]);

export const needsFreshDigest = (timer: string) => JUDGING.has(timer);

/** Asks the watcher for a fresh digest, and waits for it. */
interface WatcherQuestions {
  /** Resolves when the watcher has reported what it sees now, however long that takes. */
  confirm(): Promise<void>;
  /** Returns warnings while there is no answer. */
  warnings(): readonly string[];
}

/** A watcher that restarts reads the question from the anchor. It is asked again in case it was lost. */
const ASK_AGAIN = '10 minutes';
const WAITS = 'Until the watcher is asked again, if it has not answered';

/**
 * `answered`: returns the newest question whose answer the machine has taken. The watcher answers only when it has proof
 * that it knows what was true after the question.
 */
export function createWatcherQuestions(
  { namespace, name, anchorUid, clusterId }: Omit<AskWatcherRequest, 'at'>,
  { answered, changed }: { readonly answered: () => number; readonly changed: () => void },
): WatcherQuestions {
  // Two limits may fire in the same millisecond: each question is a separate object.
  const open = new Set<{ readonly since: number }>();

  async function isAnswered(at: number): Promise<boolean> {
    // If it is refused for good, no timer fires until the watcher can be asked.
    const asked = askWatcher({ namespace, name, anchorUid, clusterId, at }).catch(() => undefined);
    const wasAnswered = await condition(() => answered() >= at, ASK_AGAIN, { summary: WAITS });
    await asked;
    return wasAnswered;
  }

  return {
    confirm: async () => {
      const question = { since: Date.now() };
      open.add(question);
      changed();
      try {
        while (!(await isAnswered(Date.now())));
      } finally {
        open.delete(question);
        changed();
      }
    },
    warnings: () => {
      const [oldest] = open;
      if (!oldest) return [];
      return [
        `the watcher has not answered a question of ${timeOf(oldest.since)} about the job’s state; policy limits that depend on the answer wait. \`signalbox doctor\` says whether a watcher runs, and whether it hears of changes in the cluster`,
      ];
    },
  };
}
