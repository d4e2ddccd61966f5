import type { Command, Option } from 'commander';

/** Returns a self-contained completion script: pressing Tab starts no process. */
export function completionScript(shell: 'bash' | 'zsh' | 'fish', program: Command): string {
  const places = placesOf(program);
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](program.name(), places);
}

/** A position on the command line: the subcommands typed so far, and what may follow them. */
interface Place {
  readonly path: string;
  readonly completions: readonly Completion[];
  readonly options: readonly Option[];
}

interface Completion {
  readonly text: string;
  readonly about: string;
}

function placesOf(command: Command, above: readonly string[] = [], globals: readonly Option[] = []): Place[] {
  const options = [...command.options.filter(({ hidden }) => !hidden), ...globals];
  const completions = [
    ...visibleCommands(command).map((sub) => ({ text: sub.name(), about: sub.description() })),
    ...command.registeredArguments.flatMap(({ argChoices = [] }) =>
      argChoices.map((text) => ({ text, about: '' })),
    ),
  ];
  const below = visibleCommands(command).flatMap((sub) => placesOf(sub, [...above, sub.name()], options));
  return [{ path: above.join(' '), completions, options }, ...below];
}

const visibleCommands = (command: Command) => command.createHelp().visibleCommands(command) as Command[];

const flagsOf = ({ long, short }: Option) => [long, short].filter((flag) => flag != null);

/** Completes the values of options that have choices; for other options the shell completes files. */
const valueCases = (places: readonly Place[]): string =>
  [
    ...new Map(
      places.flatMap(({ options }) => options).map((option) => [option.attributeName(), option]),
    ).values(),
  ]
    .filter((option) => option.argChoices)
    .map(
      (option) =>
        `    ${flagsOf(option).join('|')}) COMPREPLY=($(compgen -W "${option.argChoices?.join(' ')}" -- "$word")); return;;`,
    )
    .join('\n');

const placeCases = (places: readonly Place[]): string =>
  places
    .map(({ path, completions, options }) => {
      const all = [...completions.map(({ text }) => text), ...options.flatMap(flagsOf)];
      return `    "${path}") words="${all.join(' ')}";;`;
    })
    .join('\n');

function bashScript(name: string, places: readonly Place[]): string {
  return `# bash completion for ${name}
_${name}() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" place="" words="" part
  case "$before" in
${valueCases(places)}
  esac
  for part in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${place:+$place }$part" in
${places
  .filter(({ path }) => path)
  .map(({ path }) => `      "${path}") place="${path}";;`)
  .join('\n')}
    esac
  done
  case "$place" in
${placeCases(places)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _${name} ${name}`;
}

/** zsh can run bash completions, so it needs no generator of its own. */
const zshScript = (name: string, places: readonly Place[]): string =>
  `# zsh completion for ${name}
autoload -Uz bashcompinit && bashcompinit
${bashScript(name, places)}`;

function fishScript(name: string, places: readonly Place[]): string {
  const lines = places.flatMap(({ path, completions, options }) => {
    const seen = path.split(' ').filter(Boolean);
    const condition = seen.length
      ? seen.map((part) => `__fish_seen_subcommand_from ${part}`).join('; and ')
      : '__fish_use_subcommand';
    const start = `complete -c ${name} -n '${condition}'`;
    return [
      ...completions.map(({ text, about }) => `${start} -a ${text} -d ${quoted(about)}`),
      ...options.map((option) => `${start} ${fishFlag(option)} -d ${quoted(option.description)}`),
    ];
  });
  return [`# fish completion for ${name}`, ...lines].join('\n');
}

function fishFlag({ long, short, required, optional, argChoices }: Option): string {
  const takesValue = required || optional;
  return [
    long ? `-l ${long.slice(2)}` : '',
    short ? `-s ${short.slice(1)}` : '',
    takesValue ? '-r' : '',
    argChoices ? `-f -a ${quoted(argChoices.join(' '))}` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
