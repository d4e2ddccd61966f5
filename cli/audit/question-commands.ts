import { Command } from 'commander';
import { settingOptions } from '../settings/setting-options.ts';
import { withExamples } from '../shell/help-text.ts';
import { type QuestionFlags, questionOptions } from './question-flags.ts';
import { QUESTION_HELP, type QuestionHelp } from './questions-table.ts';

/** Prints an answer in another form, and returns whether it did. */
type OtherForm = (question: QuestionHelp, flags: QuestionFlags, command: Command) => Promise<boolean>;

/** A subcommand for each question. `byKeys`: what `--by` prints where it names keys and no person. */
export const questionCommands = (byKeys: OtherForm): readonly Command[] =>
  QUESTION_HELP.map((question) => questionCommand(question, byKeys));

function questionCommand(question: QuestionHelp, byKeys: OtherForm): Command {
  const { name, about, filters, examples, isPriced } = question;
  return settingOptions(
    questionOptions(withExamples(new Command(name), examples).description(about), filters),
    isPriced ? ['prices'] : [],
  ).action(async (flags: QuestionFlags, command: Command) => {
    if (flags.by !== undefined && (await byKeys(question, flags, command))) return;
    const { askQuestion } = await import('./ask-question.ts');
    await askQuestion(name, flags, command);
  });
}
