import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { TrainingJobActivities } from 'signalbox/activity';

const { runTrainingJob } = proxyActivities<TrainingJobActivities>({
  // Longer than the job may take.
  startToCloseTimeout: '7 days',
  heartbeatTimeout: '30 seconds',
  // A cancelled workflow waits until the job has stopped.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

/** Trains by an activity, as a child workflow cannot be in another namespace than its parent. */
export async function train(manifest: object): Promise<string> {
  const { phase } = await runTrainingJob(manifest);
  return phase;
}
