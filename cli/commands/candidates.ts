import { Argument, Command } from 'commander';
import type { SignalboxClient } from '../../client/handles/client.ts';
import { write } from '../print/output.ts';
import { withClient } from '../session/session.ts';
import { exitNow } from '../shell/exit-codes.ts';

/** A user has pressed Tab and waits. */
const MOST_MS = 2_000;
const MOST_CANDIDATES = 300;

/** What completion scripts call: prints candidates, one a line, and nothing if they cannot be had at once. */
export const candidatesCommand = (): Command =>
  new Command('__complete')
    .addArgument(new Argument('<what>').choices(Object.keys(SOURCES)))
    .argument('[word]', 'what is typed of it')
    .action(async (what: keyof typeof SOURCES, word = '', _flags: unknown, command: Command) => {
      setTimeout(() => exitNow('ok'), MOST_MS).unref();
      try {
        for (const candidate of await SOURCES[what](command, word)) write(candidate);
      } catch {
        // The shell is no place for an error message.
      }
    });

const SOURCES = { jobs, sweeps, namespaces, contexts } as const;

/** Names, if they are enough to name the job, else workflow ids; behind NAME@ the jobs of the name. */
async function jobs(command: Command, word: string): Promise<string[]> {
  const { job, isRun } = /^(?<job>.+)(?<isRun>@)/.exec(word)?.groups ?? {};
  if (job && isRun) return runs(command, job);
  const { workflowIdOf } = await import('../../contracts/labels.ts');
  return found(command, async (client, namespace) => {
    const names: string[] = [];
    for await (const job of client.list({ namespace, limit: MOST_CANDIDATES }))
      names.push(job.workflowId === workflowIdOf(job) ? job.name : job.workflowId);
    return names;
  });
}

/** The jobs before the newest one as people count them, and each by its run. */
async function runs(command: Command, job: string): Promise<string[]> {
  const { shortRunLength } = await import('../../contracts/run-reference.ts');
  return found(command, async (client, usual) => {
    const [name = '', namespace = usual] = job.split('/').toReversed();
    const isPath = job.split('/').length > 2;
    const named = await client.jobsOf(isPath ? { workflowId: job } : { name, namespace });
    const runIds = named.map(({ runId }) => runId);
    const length = shortRunLength(runIds);
    const back = runIds.slice(1).map((_runId, index) => `-${index + 1}`);
    return [...back, ...runIds.map((runId) => runId.slice(0, length))].map((run) => `${job}@${run}`);
  });
}

async function sweeps(command: Command): Promise<string[]> {
  return found(command, async (client, namespace) => {
    const names: string[] = [];
    for await (const { name } of client.sweeps({ namespace, limit: MOST_CANDIDATES })) names.push(name);
    return names;
  });
}

/** Those of jobs that Temporal remembers: asking the cluster takes longer, and needs rights. */
async function namespaces(command: Command): Promise<string[]> {
  return found(command, async (client) => {
    const names: string[] = [];
    for await (const job of client.list({ limit: MOST_CANDIDATES })) names.push(job.namespace);
    return names;
  });
}

async function contexts(): Promise<string[]> {
  const { readConfig } = await import('../contexts/config-file.ts');
  return [...((await readConfig(process.env))?.contexts.keys() ?? [])];
}

async function found(
  command: Command,
  read: (client: SignalboxClient, namespace: string) => Promise<string[]>,
): Promise<string[]> {
  let names: string[] = [];
  await withClient(command, async ({ client, settings }) => {
    names = await read(client, settings.namespace ?? 'default');
  });
  return [...new Set(names)];
}
