import { Command } from 'commander';
import { whoAmI } from '../../client/who.ts';
import { askedJob, withClient } from '../context.ts';
import { aboutJob } from '../job-options.ts';
import { type Format, outputOption, print } from '../output.ts';
import { endWith, waitQuietly } from '../waiting.ts';

export const stopCommand = (): Command =>
  aboutJob(new Command('stop'))
    .description('stop a job: its pods are removed and it ends as Stopped')
    .option('--why <text>', 'recorded with the request')
    .option('--wait', 'until it has ended')
    .addOption(outputOption())
    .action(
      async (
        name: string | undefined,
        flags: { why?: string; wait?: boolean; output: Format },
        command: Command,
      ) => {
        const asked = askedJob(name, command);
        await withClient(command, async ({ client }) => {
          const job = client.job(asked);
          const by = whoAmI();
          const outcome = await job.stop({ by, why: flags.why });
          // Being stopped is what was asked for here, so the exit code stays 0 whatever the outcome is.
          if (flags.wait) return endWith(await waitQuietly([job]), flags.output, { exitCode: 0 });
          const text = outcome === 'requested' ? 'stop requested' : 'has ended already';
          await print(
            { workflowId: job.workflowId, outcome },
            flags.output,
            () => `${job.workflowId}: ${text}`,
          );
        });
      },
    );
