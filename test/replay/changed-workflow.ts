import { patched, sleep } from '@temporalio/workflow';
import { trainingJob as today } from '../../workflows/training-job.ts';

export { expireJob } from '../../workflows/expire-job.ts';
export * from '../../workflows/workflows.ts';

/** How the change is made; a test writes another way into the bundle. */
const WAY: string = 'WITHOUT_PATCH';

/**
 * An incompatible change of workflow code: a timer before all that a job did so far. `PATCHED`: as CONTRIBUTING.md wants it, jobs
 * that began before do as they did.
 */
export async function trainingJob(...given: Parameters<typeof today>): ReturnType<typeof today> {
  if (WAY !== 'PATCHED' || patched('waits-first')) await sleep('1s');
  return today(...given);
}
