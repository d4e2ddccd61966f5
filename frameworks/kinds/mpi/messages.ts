import type { ConditionMessages } from '../../../contracts/training-job.ts';
import { qualifiedMessagesOf } from '../messages.ts';

/** mpi-operator's messages. A failed job has the reason and message of the batch Job that runs the launcher there. */
export const mpiOperatorMessages = (qualifiedName: string, workers: number): ConditionMessages => ({
  ...qualifiedMessagesOf('MPIJob', qualifiedName),
  created: `MPIJob ${qualifiedName} is created.`,
  suspended: 'MPIJob suspended',
  resumed: 'MPIJob resumed',
  notRunning: `MPIJob ${qualifiedName} is suspended.`,
  failed: {
    BackoffLimitExceeded: {
      reason: 'BackoffLimitExceeded',
      message: 'Job has reached the specified backoff limit',
    },
    DeadlineExceeded: {
      reason: 'DeadlineExceeded',
      message: 'Job was active longer than specified deadline',
    },
    PodEvicted: { reason: 'MPIJobEvicted', message: `%n/${workers} workers are evicted` },
  },
});
