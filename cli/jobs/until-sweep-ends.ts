import type { SweepHandle } from '../../client/handles/sweep-handle.ts';
import type { SweepSummary } from '../../contracts/parameter-sweep.ts';
import { createProgress } from '../print/progress.ts';
import { sweepTally } from '../print/sweep-text.ts';
import { untilCtrlC } from './wait.ts';

const EVERY_MS = 2_000;

/** Waits for the last trial, and shows how far the sweep is. Ctrl-C ends the wait, not the sweep, and prints how to stop it. */
export async function untilSweepEnds(sweep: SweepHandle): Promise<SweepSummary> {
  const { workflowId } = sweep;
  const progress = createProgress(process.stderr);
  progress.step(workflowId);
  const look = () =>
    sweep.summary().then(
      (summary) => progress.detail(sweepTally(summary)),
      // The wait goes on while nobody answers.
      () => undefined,
    );
  const timer = setInterval(() => void look(), EVERY_MS);
  const named = workflowId.split('/').slice(1).join('/');
  try {
    return await untilCtrlC([{ workflowId, stop: `sweep stop ${named}` }], (signal) =>
      sweep.wait({ signal }),
    );
  } finally {
    clearInterval(timer);
    progress.end();
  }
}
