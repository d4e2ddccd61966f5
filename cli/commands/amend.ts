import { type Command, Option } from 'commander';
import { REQUESTS } from '../../client/handles/interventions.ts';
import { policyChange, policyFile } from '../input/policy-change.ts';
import { interventionCommand } from '../jobs/intervention-command.ts';
import { UsageError } from '../shell/errors.ts';

const HELP = `
The change is a JSON merge patch (RFC 7396): a given value replaces the present one, null removes a field, and a list
is replaced as a whole.`.trim();

export const amendCommand = (): Command =>
  interventionCommand(REQUESTS.amendPolicy, {
    description: 'change the policy of a live job, e.g. a budget or a log pattern',
    examples: ['amend train --set failures.classes.userCode.budget=5 --why "flaky data loader"'],
    help: HELP,
    shape: (command) =>
      command
        .addOption(
          new Option(
            '-f, --file <path>',
            'part of a policy in YAML or JSON; - reads standard input',
          ).conflicts('set'),
        )
        .option('--set <path=value>', 'one change, its value as YAML; repeatable', collect),
    call: async (command) => {
      const { file, set } = command.opts<{ file?: string; set?: readonly string[] }>();
      if (file === undefined && !set)
        throw new UsageError('No change given. Expected -f FILE or --set PATH=VALUE.');
      const policy = file === undefined ? await policyChange(set ?? []) : await policyFile(file);
      return { fields: { policy }, sentence: 'policy changed' };
    },
  });

const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];
