import { Command } from 'commander';
import { settingOptions } from '../settings/setting-options.ts';
import { withExamples } from '../shell/help-text.ts';
import { type QuestionFlags, questionOptions } from './question-flags.ts';
import { QUESTION_HELP, type QuestionHelp } from './questions-table.ts';

/** A subcommand for each question. */
export const questionCommands = (): readonly Command[] => QUESTION_HELP.map(questionCommand);

const questionCommand = ({ name, about, filters, examples, isPriced }: QuestionHelp): Command =>
  settingOptions(
    questionOptions(withExamples(new Command(name), examples).description(about), filters),
    isPriced ? ['prices'] : [],
  ).action(async (flags: QuestionFlags, command: Command) => {
    const { askQuestion } = await import('./ask-question.ts');
    await askQuestion(name, flags, command);
  });
