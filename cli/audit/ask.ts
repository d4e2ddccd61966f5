import { Command } from 'commander';
import { UsageError } from '../shell/errors.ts';
import { withExamples } from '../shell/help-text.ts';
import { FILTER_NAMES, filterIn, type QuestionFlags, questionOptions } from './question-flags.ts';

const EXAMPLES = ['audit --by ana --since 30d', 'audit --waited 1h', 'audit --phase failed --node gpu-7'];

const NOTES =
  '--by or --request asks `who`, --waited `waits`, --restarted `restarts`, --job alone `entries`, anything else `jobs`.';

/** `signalbox audit` without a subcommand. */
export function auditAskCommand(): Command {
  const command = questionOptions(
    withExamples(new Command('ask'), EXAMPLES, NOTES).description(
      'the question that the options describe; `ask` is optional',
    ),
    FILTER_NAMES,
  ).allowExcessArguments();
  return command.action(async (flags: QuestionFlags) => {
    const [unknown] = command.args;
    if (unknown !== undefined)
      throw new UsageError(`audit: unknown command ${JSON.stringify(unknown)}.`, {
        remedy: '`signalbox audit --help` lists what can be asked.',
      });
    if (!FILTER_NAMES.some((name) => flags[name] !== undefined)) return command.parent?.help();
    const [{ askQuestion }, { questionFor }] = await Promise.all([
      import('./ask-question.ts'),
      import('./question-for.ts'),
    ]);
    return askQuestion(questionFor(filterIn(flags)), flags, command);
  });
}
