import type { Argument, Command, Option } from 'commander';
import { JOB_KINDS } from '../../client/manifests/kinds.ts';
import { REASON_CODES } from '../../contracts/reasons.ts';
import { sourceOf } from '../shell/completed-by.ts';
import { bashScript } from './bash-script.ts';
import { fishScript } from './fish-script.ts';
import type { Place, WordValues } from './place.ts';

/**
 * Returns a completion script. It knows commands, flags and their fixed values by itself; for names of jobs,
 * pods, sweeps and others it asks `signalbox __complete`.
 */
export function completionScript(shell: 'bash' | 'zsh' | 'fish', program: Command): string {
  const places = placesOf(program);
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](program.name(), places);
}

/** zsh can run bash completions, so it needs no generator of its own. */
const zshScript = (name: string, places: readonly Place[]): string =>
  `#compdef ${name}
# zsh completion for ${name}
autoload -Uz +X compinit bashcompinit
(( $+functions[compdef] )) || compinit
bashcompinit
${bashScript(name, places)}`;

function placesOf(command: Command, above: readonly string[] = [], globals: readonly Option[] = []): Place[] {
  const options = [...command.options.filter(({ hidden }) => !hidden), ...globals];
  const below = visibleCommands(command).flatMap((sub) => placesOf(sub, [...above, sub.name()], options));
  const place = {
    path: above,
    commands: visibleCommands(command).map((sub) => ({ text: sub.name(), about: sub.description() })),
    args: command.registeredArguments.map(valuesOf).map((values) => values ?? ANY),
    options: options.map((option) => ({
      flags: [option.long, option.short].filter((flag) => flag != null),
      about: option.description,
      values: option.required || option.optional ? (valuesOf(option) ?? ANY) : undefined,
    })),
  };
  return [place, ...below];
}

const ANY: WordValues = { kind: 'any' };

/** Returns what completes an argument or the value of an option; undefined if there is none. */
function valuesOf(of: Argument | Option | undefined): WordValues | undefined {
  if (of === undefined) return undefined;
  const source = sourceOf(of);
  if (source === 'kinds') return { kind: 'fixed', words: JOB_KINDS };
  if (source === 'reasons') return { kind: 'fixed', words: REASON_CODES };
  if (source !== undefined) return { kind: 'asked', of: source };
  return of.argChoices ? { kind: 'fixed', words: of.argChoices } : ANY;
}

const visibleCommands = (command: Command) =>
  (command.createHelp().visibleCommands(command) as Command[]).filter((each) => each.name() !== 'help');
