import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ensurePrograms } from '@signalbox/sandbox';
import type { Stage } from './stage.ts';

const run = promisify(execFile);

/** Temporal's own command line, as a user of the stage's server. */
export type TemporalCli = (...args: string[]) => Promise<string>;

export async function openTemporalCli(stage: Stage): Promise<TemporalCli> {
  const { temporal } = await ensurePrograms({ names: ['temporal'] });
  return async (...args) => {
    const { stdout } = await run(temporal, [...args, '--address', stage.sandbox.temporalAddress]);
    return stdout;
  };
}

/** Starts a workflow as a job. `input`: each argument of the workflow, as JSON. */
export async function startByHand(
  temporal: TemporalCli,
  {
    workflowId,
    input,
    type = 'trainingJob',
  }: { workflowId: string; input: readonly string[]; type?: string },
): Promise<void> {
  const inputs = input.flatMap((json) => ['--input', json]);
  const queue = ['--task-queue', 'signalbox', '--workflow-id', workflowId];
  await temporal('workflow', 'start', '--type', type, ...queue, ...inputs);
}
