import { describeStillRunning } from '../failures/still-running.ts';
import type { JobContext } from '../model/job-context.ts';
import { jobPolicy, policyRule } from '../model/policy.ts';

/** Warns about pods that go on after their program has ended, because other containers run. */
export function outlivedProgramWarnings(context: JobContext): readonly string[] {
  const { outlived } = context.digest ?? {};
  if (!outlived || context.outcome) return [];
  const { pod, container, exitCode, running, pods } = outlived;
  const where = pods > 1 ? `${pod} and ${pods - 1} more` : pod;
  const isAwaited = jobPolicy(context).waitForSidecars;
  const effect = isAwaited
    ? `the job waits for it (${policyRule('waitForSidecars', true)})`
    : 'the pod keeps its resources until the job ends';
  return [
    `${where}: container ${container} exited with code ${exitCode}, ${describeStillRunning(running)}: ${effect}. ${REMEDY}`,
  ];
}

const REMEDY = 'A native sidecar, an init container with restartPolicy Always, ends with the program';
