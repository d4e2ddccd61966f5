import { Argument, Command } from 'commander';
import type { SignalboxClient } from '../../client/handles/client.ts';
import { unlessLate } from '../../language/timers.ts';
import { write } from '../print/output.ts';
import { settingsOf, withClient } from '../session/session.ts';
import type { AskedSource } from '../shell/completed-by.ts';
import { exitNow } from '../shell/exit-codes.ts';

const MOST_CANDIDATES = 300;

/** What completion scripts call: prints candidates, one a line, and nothing if they cannot be had at once. */
export const candidatesCommand = (): Command =>
  new Command('__complete')
    .addArgument(new Argument('<what>').choices(Object.keys(SOURCES)))
    .argument('[word]', 'what is typed of it')
    .argument('[args...]', 'the arguments before it')
    .action(async (...[what, word = '', args, _flags, command]: Given) => {
      try {
        for (const candidate of await SOURCES[what](command, word, args)) write(candidate);
      } catch {
        // The shell is no place for an error message.
      }
    });

/** Of sources that ask servers. A user has pressed Tab and waits: after a while there is no candidate. Returns after how long. */
async function limited(command: Command): Promise<number> {
  const { completionMs } = await settingsOf(command);
  setTimeout(() => exitNow('ok'), completionMs).unref();
  return completionMs;
}

const SOURCES: Readonly<
  Record<AskedSource, (command: Command, word: string, args: readonly string[]) => Promise<string[]>>
> = { jobs, pods, sweeps, schedules, namespaces, contexts, groups };

type Given = [what: AskedSource, word: string | undefined, args: string[], flags: unknown, command: Command];

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

/** Those that the cluster has; of an ended job, those that failed. */
async function pods(command: Command, _word: string, [given = '']: readonly string[]): Promise<string[]> {
  await limited(command);
  const [{ chosenJob }, { namesOfPods }] = await Promise.all([
    import('../jobs/job-choice.ts'),
    import('../completion/names-of-pods.ts'),
  ]);
  return [...new Set(await namesOfPods(chosenJob(given, command), command, MOST_CANDIDATES))];
}

async function schedules(command: Command): Promise<string[]> {
  return found(command, async (client, namespace) => {
    const names: string[] = [];
    for await (const { scheduleId } of client.schedules.list({ namespace }))
      names.push(
        scheduleId.startsWith(`${namespace}/`) ? scheduleId.slice(namespace.length + 1) : scheduleId,
      );
    return names.slice(0, MOST_CANDIDATES);
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

/** By what costs are added up, of several with commas the last one; the labels are those of jobs that Temporal remembers. */
async function groups(command: Command, word: string): Promise<string[]> {
  const { GROUP_KEY_NAMES } = await import('../../record/uses/grouped-uses.ts');
  const completionMs = await limited(command);
  const before = word.slice(0, word.lastIndexOf(',') + 1);
  const asked = foundBy(command, async (client) => {
    const keys: string[] = [];
    for await (const job of client.list({ limit: MOST_CANDIDATES }))
      keys.push(...Object.keys(job.labels ?? {}));
    return keys;
  }).catch(() => []);
  const labels = (await unlessLate(asked, completionMs / 2)) ?? [];
  const given = before.split(',');
  return [...GROUP_KEY_NAMES, ...labels].filter((key) => !given.includes(key)).map((key) => before + key);
}

async function contexts(): Promise<string[]> {
  const { readConfig } = await import('../contexts/config-file.ts');
  return [...((await readConfig(process.env))?.contexts.keys() ?? [])];
}

type Read = (client: SignalboxClient, namespace: string) => Promise<string[]>;

async function found(command: Command, read: Read): Promise<string[]> {
  await limited(command);
  return foundBy(command, read);
}

async function foundBy(command: Command, read: Read): Promise<string[]> {
  let names: string[] = [];
  await withClient(command, async ({ client, settings }) => {
    names = await read(client, settings.namespace ?? 'default');
  });
  return [...new Set(names)];
}
