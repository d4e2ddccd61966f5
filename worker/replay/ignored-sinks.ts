import type { WorkerOptions } from '@temporalio/worker';

/** Workflows hand over their ledgers to replays alone, and the SDK complains about a sink that is not there. */
export const IGNORED_SINKS: NonNullable<WorkerOptions['sinks']> = {
  ledger: {
    entry: { fn: () => undefined, callDuringReplay: false },
    step: { fn: () => undefined, callDuringReplay: false },
  },
};
