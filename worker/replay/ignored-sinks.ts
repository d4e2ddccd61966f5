import type { WorkerOptions } from '@temporalio/worker';

/**
 * Workflows hand over their ledgers to replays alone, and what they show to workers that run jobs. The SDK complains about a
 * sink that is not there.
 */
export const IGNORED_SINKS: NonNullable<WorkerOptions['sinks']> = {
  status: { show: { fn: () => undefined, callDuringReplay: false } },
  quota: { giveBack: { fn: () => undefined, callDuringReplay: false } },
  ledger: {
    entry: { fn: () => undefined, callDuringReplay: false },
    step: { fn: () => undefined, callDuringReplay: false },
  },
};
