import { workflowIdOf } from './labels.ts';
import type { JobStatus } from './types.ts';

/** Returns how a command line names a job: by its name where that is enough, else by the id of its workflow. */
export function jobArguments(
  { name, namespace }: Pick<JobStatus, 'name' | 'namespace'>,
  workflowId = workflowIdOf({ name, namespace }),
): string {
  const isNamed = workflowId === workflowIdOf({ name, namespace });
  return isNamed ? `${name} -n ${namespace}` : `--workflow-id ${inShell(workflowId)}`;
}

/** Returns the namespace that such arguments name; empty if they name a workflow. */
export const namespaceOfArguments = (job: string): string => / -n (\S+)$/.exec(job)?.[1] ?? '';

/** Quotes a word for a shell where it needs that. */
export const inShell = (word: string): string =>
  /^[\w./:@-]+$/.test(word)
    ? word
    : `'${word.replaceAll(/\s+/g, ' ').replaceAll("'", "'\\''").replaceAll('`', '')}'`;
