import { Argument, Command } from 'commander';
import { formatFault } from '../../contracts/faults.ts';
import { type ArchivedFlags, archivedOptions } from '../archived/archived.ts';
import { momentOf } from '../input/parse.ts';
import { type Format, outputOption, print } from '../print/output.ts';
import { createProgress } from '../print/progress.ts';
import type { ReplayVerdict, VerdictOptions } from '../replay/verdicts.ts';
import { settingsOf } from '../session/session.ts';
import { completedBy } from '../shell/completed-by.ts';
import { ManifestFileError, UsageError } from '../shell/errors.ts';
import { type Exit, exitWith } from '../shell/exit-codes.ts';
import { withExamples } from '../shell/help-text.ts';

interface ReplayFlags extends ArchivedFlags {
  readonly policy?: string;
  readonly since?: Date;
  readonly output: Format;
}

const EXAMPLES = [
  'replay train',
  'replay history.json',
  'replay test/replay/histories',
  'replay train --policy policy.yaml',
  'replay --archived --since 30d --policy policy.yaml -o json',
];

const HELP = `A file is a history as \`temporal workflow show -o json\` writes it, plain or compressed with gzip; a folder is the archive of
a job, or has any of these. Without --policy, shows whether the workflows of this version replay each history, and
whether they decide as its archived ledger says. With --policy, shows what would have been decided otherwise. --archived
without a name takes all jobs in the archive.`;

export const replayCommand = (): Command =>
  withExamples(archivedOptions(new Command('replay')), EXAMPLES, HELP)
    .description('replay recorded histories with this version, or with another policy')
    .addArgument(completedBy('jobs', new Argument('[what...]', 'names of jobs, files and folders')))
    .option('--policy <file>', 'a policy document: what would have happened with it')
    .option('--since <time>', 'with --archived: only jobs that ended then or later', momentOf)
    .addOption(outputOption())
    .action(async (what: readonly string[], flags: ReplayFlags, command: Command) => {
      if (what.length === 0 && !flags.archived)
        throw new UsageError('Nothing to replay. Expected a NAME, a file or a folder, or --archived.');
      const policy = flags.policy === undefined ? undefined : await policyText(flags.policy);
      const settings = await settingsOf(command);
      const [{ loadDataConverter }, { replaySources }] = await Promise.all([
        import('../../temporal/connection.ts'),
        import('../replay/sources.ts'),
      ]);
      const dataConverter = await loadDataConverter(settings.temporal);
      const { sources, close } = await replaySources({ ...flags, what }, { command, settings });
      const verdicts = await replayAll(sources, { policy, dataConverter }).finally(close);
      const { replayData, replayText } = await import('../replay/replay-text.ts');
      await print(replayData(verdicts), flags.output, () =>
        replayText(verdicts, { hasPolicy: policy !== undefined }),
      );
      exitWith(exitOf(verdicts));
    });

/** Checks what can be checked without a job. */
async function policyText(path: string): Promise<string> {
  const [{ policyFile }, { validatePolicy }, { stringify }] = await Promise.all([
    import('../input/policy-change.ts'),
    import('../../client/manifests/offline/validate-policy.ts'),
    import('yaml'),
  ]);
  const text = stringify(await policyFile(path), { version: '1.1' });
  const faults = validatePolicy(text);
  if (faults.length > 0)
    throw new ManifestFileError(`${path}: no policy:\n${faults.map(formatFault).join('\n')}`);
  return text;
}

async function replayAll(
  sources: Parameters<typeof import('../replay/verdicts.ts').verdictsOf>[0],
  options: VerdictOptions,
): Promise<ReplayVerdict[]> {
  const { verdictsOf } = await import('../replay/verdicts.ts');
  const progress = createProgress(process.stderr);
  const verdicts: ReplayVerdict[] = [];
  progress.step('replaying');
  try {
    for await (const verdict of verdictsOf(sources, options)) {
      verdicts.push(verdict);
      progress.detail(`${verdicts.length} done`);
    }
  } finally {
    progress.end();
  }
  return verdicts;
}

/** Differences come first: one bad file must not hide them. */
function exitOf(verdicts: readonly ReplayVerdict[]): Exit {
  const has = (...results: readonly ReplayVerdict['result'][]) =>
    verdicts.some(({ result }) => results.includes(result));
  if (has('differs', 'broken')) return 'different';
  return has('unreadable') ? 'usage' : 'ok';
}
