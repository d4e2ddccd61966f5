import { Command, Option } from 'commander';
import { InvalidManifestError } from '../../client/errors/errors.ts';
import type { Fault, WhyAnswer } from '../../contracts/types.ts';
import { type ArchivedFlags, archivedOptions, liveOrArchived } from '../archived/archived.ts';
import { aboutJob, configurationOptions, strictOptions } from '../input/job-options.ts';
import { located, manifestOptions, readManifests, refuseFaulty, titleOf } from '../input/manifests.ts';
import { chosenJob } from '../jobs/job-choice.ts';
import { openInConsole, type WebFlags, webOption } from '../jobs/web.ts';
import { type Format, note, oneOrAll, outputOption, print } from '../print/output.ts';
import { connectedCluster, settingsOf } from '../session/session.ts';
import { UsageError } from '../shell/errors.ts';
import { EXIT_CODES, type Exit, exitWith } from '../shell/exit-codes.ts';
import { withExamples } from '../shell/help-text.ts';

interface WhyFlags extends ArchivedFlags, WebFlags {
  readonly filename?: readonly string[];
  readonly workflowId?: string;
  readonly output: Format;
}

const EXAMPLES = [
  'why train',
  'why job/ml/train -o json',
  'why train --archived',
  'why -f job.yaml',
  'why -f job.yaml -n ml --gang volcano',
];

const HELP = `Of a job that waits it prints the reason, who can change it, and for its pods the class of each node: the classes add up.
Of a job that has ended it prints what it had waited for, also from its archive.
-f says the same of jobs before they are submitted, and creates nothing. It reads the cluster with your own rights; what you
may not read is named as unknown.
Exit code: ${EXIT_CODES.ok.code}; with -f ${EXIT_CODES.unhealthy.code} if you or an administrator must change something before a job can start, ${EXIT_CODES.notKnown.code} if whether it would start is not known, ${EXIT_CODES.invalidManifest.code} if a manifest has errors.`;

export const whyCommand = (): Command =>
  withExamples(
    strictOptions(webOption(archivedOptions(configurationOptions(aboutJob(new Command('why')))))),
    EXAMPLES,
    HELP,
  )
    .description('explain what a job waits for, or would wait for if it was submitted')
    .addOption(
      new Option(
        '-f, --filename <file>',
        'a job that is not submitted: a YAML or JSON file, or a folder of them; - reads standard input',
      ).argParser((file: string, before: readonly string[] = []) => [...before, file]),
    )
    .addOption(outputOption())
    .action(async (name: string | undefined, flags: WhyFlags, command: Command) => {
      if (!flags.filename) return aboutJobNamed(name, flags, command);
      if (name !== undefined || flags.workflowId !== undefined)
        throw new UsageError('Expected the NAME of a job or --filename, got both.');
      if (flags.archived) throw new UsageError('--archived: a job that is not submitted is in no archive.');
      if (flags.web) throw new UsageError('--web: a job that is not submitted has no page.');
      return aboutManifests(flags.filename, flags, command);
    });

async function aboutJobNamed(
  name: string | undefined,
  { output, archived, web }: WhyFlags,
  command: Command,
): Promise<void> {
  if (web) return openInConsole([chosenJob(name, command)], command, { section: 'why', archived });
  const answer = await liveOrArchived<WhyAnswer>({ command, archived }, chosenJob(name, command), {
    server: (job) => job.whyWaiting(),
    archive: async (job) => {
      const { whyArchived } = await import('../../client/use-cases/why/why-archived.ts');
      return whyArchived(job);
    },
  });
  await show([answer], output);
}

async function aboutManifests(
  files: readonly string[],
  { output }: WhyFlags,
  command: Command,
): Promise<void> {
  const { jobs, others } = await readManifests(files, command);
  for (const { where, value } of others) note(`${where}: ${titleOf(value)} is not a job; skipped`);
  const settings = await settingsOf(command);
  const [{ whyManifest }, cluster] = await Promise.all([
    import('../../client/use-cases/why/why-manifest.ts'),
    connectedCluster(settings),
  ]);
  const options = manifestOptions(command, settings);
  const ports = { lanes: settings.lanes, cluster: () => Promise.resolve(cluster) };
  const answers: WhyAnswer[] = [];
  const faults: Fault[] = [];
  try {
    for (const document of jobs) {
      const answer = await whyManifest(ports, document.value, options).catch(faultsOfInvalid);
      if ('faults' in answer) faults.push(...located(answer.faults, document, jobs.length === 1));
      else answers.push(answer);
    }
  } finally {
    await cluster.close();
  }
  if (answers.length > 0) await show(answers, output);
  refuseFaulty(faults, jobs);
  exitWith(exitOf(answers));
}

/** The other manifests are answered all the same. */
function faultsOfInvalid(error: unknown): InvalidManifestError {
  if (error instanceof InvalidManifestError) return error;
  throw error;
}

/** What must be changed comes before what is not known. Where nodes cannot be read, that nothing is found means nothing. */
function exitOf(answers: readonly WhyAnswer[]): Exit {
  const whos = answers.flatMap(({ reasons }) => reasons.map(({ who }) => who));
  if (whos.some((who) => who !== 'nobody' && who !== 'unknown')) return 'unhealthy';
  const isBlind = answers.some(
    ({ workflowId, reasons, fits, unknown }) =>
      workflowId === undefined && reasons.length === 0 && !fits && unknown.length > 0,
  );
  return isBlind || whos.includes('unknown') ? 'notKnown' : 'ok';
}

const show = (answers: readonly WhyAnswer[], output: Format): Promise<void> =>
  print(oneOrAll(answers, answers.length === 1), output, async () => {
    const { whyText } = await import('../print/why-text.ts');
    return answers.map(whyText).join('\n\n');
  });
