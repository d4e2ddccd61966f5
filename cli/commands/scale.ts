import type { Command } from 'commander';
import { REQUESTS } from '../../client/handles/interventions.ts';
import { interventionCommand } from '../jobs/intervention-command.ts';
import { UsageError } from '../shell/errors.ts';

export const scaleCommand = (): Command =>
  interventionCommand(REQUESTS.scale, {
    examples: ['scale train worker=8 --why "four nodes are back"'],
    shape: (command) => command.argument('[role=replicas]', 'e.g. worker=8'),
    call: (command) => {
      const size = parseSize(command);
      return {
        fields: size,
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
