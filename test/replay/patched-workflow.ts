import { patched, sleep } from '@temporalio/workflow';
import { trainingJob as today } from '../../workflows/training-job.ts';

export { expireJob } from '../../workflows/expire-job.ts';
export * from '../../workflows/workflows.ts';

/** The change of reordered-workflow.ts as CONTRIBUTING.md wants it: jobs that began before do as they did. */
export async function trainingJob(...given: Parameters<typeof today>): ReturnType<typeof today> {
  if (patched('waits-first')) await sleep('1s');
  return today(...given);
}
