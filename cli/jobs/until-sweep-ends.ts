import type { SweepHandle } from '../../client/handles/sweep-handle.ts';
import { parameterSweepOf, type SweepSummary, trialsText } from '../../contracts/parameter-sweep.ts';
import { createProgress } from '../print/progress.ts';
import { untilCtrlC } from './wait.ts';

const EVERY_MS = 2_000;

/** Waits for the last trial, and shows how far the sweep is. Ctrl-C ends the wait, not the sweep, and prints how to stop it. */
export async function untilSweepEnds(sweep: SweepHandle): Promise<SweepSummary> {
  const { workflowId } = sweep;
  const progress = createProgress(process.stderr);
  progress.step(workflowId);
  const look = () =>
    sweep.summary().then(
      (summary) => progress.detail(trialsText(summary)),
      // The wait goes on while nobody answers.
      () => undefined,
    );
  const timer = setInterval(() => void look(), EVERY_MS);
  const { namespace, name } = parameterSweepOf(workflowId)!;
  try {
    return await untilCtrlC([{ workflowId, stop: `sweep stop ${namespace}/${name}` }], (signal) =>
      sweep.wait({ signal }),
    );
  } finally {
    clearInterval(timer);
    progress.end();
  }
}
