import { Command } from 'commander';
import { askedNamespace } from '../input/asked-namespace.ts';
import { configurationOptions, manifestFiles } from '../input/job-options.ts';
import { manifestOptions } from '../input/manifests.ts';
import { type Format, note, outputOption, print } from '../print/output.ts';
import { createProgress } from '../print/progress.ts';
import { connectedCluster, settingsOf } from '../session/session.ts';
import { EXIT_CODES, type Exit, exitWith } from '../shell/exit-codes.ts';
import { withExamples } from '../shell/help-text.ts';
import { type Checked, checkFiles } from '../validate/validation.ts';
import { tallyOf, validationText } from '../validate/validation-text.ts';

interface ValidateFlags {
  readonly server?: boolean;
  readonly output: Format;
}

const EXAMPLES = ['validate job.yaml', 'validate examples --no-strict', 'validate job.yaml --server -n ml'];

const HELP = `Each error names its path, the expectation and the value found. Documents that are not jobs are named and skipped.
Exit code: ${EXIT_CODES.ok.code} if all jobs are valid, ${EXIT_CODES.invalidManifest.code} if one has errors, ${EXIT_CODES.usage.code} if a file cannot be read.`;

export const validateCommand = (): Command =>
  withExamples(configurationOptions(manifestFiles(new Command('validate'))), EXAMPLES, HELP)
    .description('check manifests and list every error')
    .option('--server', 'also ask the API server whether it would accept all objects (a dry run)')
    .addOption(outputOption())
    .action(async (paths: readonly string[], { server, output }: ValidateFlags, command: Command) => {
      const settings = await settingsOf(command);
      const cluster = server ? await connectedCluster(settings) : undefined;
      const progress = createProgress(process.stderr);
      const options = manifestOptions(command, settings);
      const namespace = askedNamespace(command);
      const checked = await checkFiles(paths, { namespace, options, cluster, progress }).finally(() => {
        progress.end();
        return cluster?.close();
      });
      await print(checked, output, () => validationText(checked));
      note(tallyOf(checked));
      exitWith(exitOf(checked));
    });

function exitOf(checked: readonly Checked[]): Exit {
  const has = (wanted: Checked['result']) => checked.some(({ result }) => result === wanted);
  if (has('invalid')) return 'invalidManifest';
  return has('unreadable') ? 'usage' : 'ok';
}
