import { Command } from 'commander';
import { withExamples } from '../shell/help-text.ts';
import { type QuestionFlags, questionOptions } from './question-flags.ts';
import { QUESTION_HELP, type QuestionHelp } from './questions-table.ts';

/** A subcommand for each question. */
export const questionCommands = (): readonly Command[] => QUESTION_HELP.map(questionCommand);

const questionCommand = ({ name, about, filters, examples }: QuestionHelp): Command =>
  questionOptions(withExamples(new Command(name), examples).description(about), filters).action(
    async (flags: QuestionFlags, command: Command) => {
      const { askQuestion } = await import('./ask-question.ts');
      await askQuestion(name, flags, command);
    },
  );
