import { workflowInfo } from '@temporalio/workflow';

/** Tells when it is time to go on with a new history. */
export interface HistoryLimit {
  /** `isBusy`: something is under way that would have to be interrupted; such a moment is taken only when it must be. */
  shouldContinueAsNew(now: { readonly isBusy: boolean }): boolean;
}

/** A job that is busy all the time is given as much history again before it is interrupted. */
const HARD_LIMIT_FACTOR = 2;

export function createHistoryLimit(): HistoryLimit {
  let suggestedAt: number | undefined;
  return {
    shouldContinueAsNew: ({ isBusy }) => {
      const { continueAsNewSuggested, historyLength, suggestedContinueAsNewReasons = [] } = workflowInfo();
      if (!continueAsNewSuggested) return false;
      suggestedAt ??= historyLength;
      // Of updates there is no second helping: when the run has had its last one, nobody could ask for anything.
      const isPressing = suggestedContinueAsNewReasons.includes('TOO_MANY_UPDATES');
      return !isBusy || isPressing || historyLength >= suggestedAt * HARD_LIMIT_FACTOR;
    },
  };
}
