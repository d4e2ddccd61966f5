import { Command } from 'commander';
import type { JobHandle } from '../../client/job-handle.ts';
import { aboutJob } from '../input/job-options.ts';
import { type Format, note, outputOption, painted, print } from '../print/output.ts';
import { selectedJob, withClient } from '../session.ts';

export const getCommand = (): Command =>
  aboutJob(new Command('get'))
    .description('show a job’s phase, its cause and its replicas')
    .addOption(outputOption())
    .action(async (name: string | undefined, { output }: { output: Format }, command: Command) => {
      const asked = selectedJob(name, command);
      await withClient(command, async ({ client }) => {
        const job = await client.find(asked);
        const status = await job.status().catch((error) => lastRecorded(job, error));
        const { jobText } = await import('../print/job-text.ts');
        await print(status, output, () =>
          'timeline' in status
            ? jobText(status, job.workflowId)
            : `${status.kind} ${status.namespace}/${status.name}  ${painted(status.phase)}`,
        );
      });
    });

/** Without a worker, only the last recorded state is available. */
async function lastRecorded(job: JobHandle, error: Error) {
  if (error.name !== 'WorkerAwayError') throw error;
  note(`warning: ${error.message} This is the last recorded status; start a worker with \`signalbox up\`.`);
  return job.summary();
}
