import { Argument, Command } from 'commander';
import { writeData } from '../print/output.ts';
import { withExamples } from '../shell/help-text.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export const completionCommand = (): Command =>
  withExamples(new Command('completion'), [
    'completion bash > ~/.local/share/bash-completion/completions/signalbox',
    'completion fish > ~/.config/fish/completions/signalbox.fish',
  ])
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .addHelpText(
      'after',
      '\nbash: source <(signalbox completion bash)\nzsh:  source <(signalbox completion zsh)\nfish: signalbox completion fish | source',
    )
    .action(async (shell: Shell, _flags: unknown, command: Command) => {
      const { completionScript } = await import('../completion/completion-script.ts');
      writeData(completionScript(shell, command.parent!), 'text');
    });
