import { failedStart } from '../contracts/ends.ts';
import type { ContainerStatus, TerminatedState } from '../contracts/kubernetes.ts';

/** What a record has of the logs of a container, and what is read for it. */

/** Limit for one log; a longer log loses its beginning. */
export const KEPT_BYTES = 64 * 1024;
/**
 * Kubernetes would cut the end of a log, which is most informative, so more is read than kept: as much as a container's
 * log holds before it is rotated.
 */
export const READ_BYTES = 16 * 1024 * 1024;
/** A live kubelet answers within milliseconds. The API server would wait 30 seconds for a dead one. */
export const LOG_MS = 5_000;
/** Maximum number of containers per pod whose logs are read. */
export const MOST_LOGS = 4;

/** Kubernetes keeps the log of a container's present run, and of the previous run after a restart: where the program began. */
export const runsWithLog = ({ state, lastState, restartCount }: ContainerStatus) => ({
  present: Boolean(state?.running) || hasRun(state?.terminated),
  previous: Boolean(restartCount) && hasRun(lastState?.terminated),
});

const hasRun = (end: TerminatedState | undefined): boolean => end !== undefined && !failedStart(end);
