import { ApplicationFailure, proxyActivities } from '@temporalio/workflow';
import { type Outcome, runTrainingJob } from 'signalbox/workflow';
import type * as activities from './activities.ts';
import { manifestFor } from './manifests.ts';

const { preprocess, evaluate } = proxyActivities<typeof activities>({ startToCloseTimeout: '10 minutes' });

export interface PipelineInput {
  readonly dataset: string;
  /** How long each model is trained. */
  readonly steps: number;
  /** Kubernetes namespace of the training jobs. */
  readonly namespace: string;
}

/** Prepares the data, trains two models at once, and compares them. */
export async function pipeline({ dataset, steps, namespace }: PipelineInput): Promise<activities.Evaluation> {
  const data = await preprocess(dataset, steps);
  const outcomes = await Promise.all(
    [1, 2].map((workers) => {
      const manifest = manifestFor({ dataset: data, workers, namespace });
      return runTrainingJob(manifest, { key: `train-${workers}`, checkpoint: true });
    }),
  );
  return evaluate(outcomes.map(completed));
}

function completed(outcome: Outcome): Outcome {
  if (outcome.phase === 'Completed') return outcome;
  throw ApplicationFailure.nonRetryable(`${outcome.name} is ${outcome.phase}: ${outcome.cause?.message}`);
}
