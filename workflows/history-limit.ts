import { workflowInfo } from '@temporalio/workflow';

/** Decides when to continue as new. */
interface HistoryLimit {
  /** `isBusy`: effects in progress would have to be interrupted, which is done only if necessary. */
  shouldContinueAsNew(now: { readonly isBusy: boolean }): boolean;
}

/** A job that is always busy may double its history before it is interrupted. */
const HARD_LIMIT_FACTOR = 2;

export function createHistoryLimit(): HistoryLimit {
  let suggestedAt: number | undefined;
  return {
    shouldContinueAsNew: ({ isBusy }) => {
      const { continueAsNewSuggested, historyLength, suggestedContinueAsNewReasons = [] } = workflowInfo();
      if (!continueAsNewSuggested) return false;
      suggestedAt ??= historyLength;
      // The number of updates per run is a hard limit: beyond it the run would refuse all requests.
      const isPressing = suggestedContinueAsNewReasons.includes('TOO_MANY_UPDATES');
      return !isBusy || isPressing || historyLength >= suggestedAt * HARD_LIMIT_FACTOR;
    },
  };
}
