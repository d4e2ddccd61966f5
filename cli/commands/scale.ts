import type { Command } from 'commander';
import { interventionCommand } from '../jobs/intervention-command.ts';
import { UsageError } from '../shell/errors.ts';

const HELP = `
The job refuses a change that it cannot make. A kind that cannot change its size while it runs restarts its gang, if
the policy has scaleByRestart.`.trim();

export const scaleCommand = (): Command =>
  interventionCommand('scale', {
    description: 'change the number of replicas of a role of a live job',
    examples: ['scale train worker=8 --why "four nodes are back"'],
    help: HELP,
    shape: (command) => command.argument('[role=replicas]', 'e.g. worker=8'),
    call: (command) => {
      const size = parseSize(command);
      return {
        ask: (job, who) => job.scale({ ...who, ...size }),
        sentence: `scale to ${size.role}=${size.replicas} requested`,
      };
    },
  });

/** With a workflow id, the size is the first argument. */
function parseSize(command: Command): { role: string; replicas: number } {
  const [first, second] = command.args;
  const { workflowId } = command.opts<{ workflowId?: string }>();
  const text = second ?? (workflowId === undefined && !first?.includes('=') ? undefined : first);
  const [, role, replicas] = /^([^=]+)=(\d+)$/.exec(text ?? '') ?? [];
  if (role === undefined) throw wrongSize(text);
  if (second === undefined && workflowId === undefined)
    throw new UsageError(`No job given. Expected its NAME before ${text}, or --workflow-id.`);
  return { role, replicas: Number(replicas) };
}

const wrongSize = (text: string | undefined) =>
  new UsageError(
    `Expected ROLE=REPLICAS with a whole number, e.g. worker=8, got ${text === undefined ? 'nothing' : JSON.stringify(text)}.`,
  );
