import { PASSED_ON, type Place, type PlaceOption, type WordValues } from './place.ts';

/** Returns a completion script for fish, with descriptions. */
export function fishScript(name: string, places: readonly Place[]): string {
  return `# fish completion for ${name}
function __${name}_ask
  set -l words (commandline -opc)
  set -l given
  for index in (seq 2 (count $words))
    if contains -- $words[$index] ${PASSED_ON.join(' ')}
      set -l next (math $index + 1)
      test $next -le (count $words); and set -a given $words[$index] $words[$next]
    end
  end
  command $words[1] $given __complete $argv[1] (commandline -ct) 2> /dev/null
end
${places.flatMap(placeLines).join('\n')}`;

  function placeLines({ path, commands, argument, options }: Place): string[] {
    const start = `complete -c ${name} -n '${conditionOf(path, commands)}'`;
    return [
      ...commands.map(({ text, about }) => `${start} -f -a ${text} -d ${quoted(about)}`),
      ...(argument && argument.kind !== 'any' ? [`${start} -f -a ${candidates(argument)}`] : []),
      ...options.map((option) => `${start} ${flagOf(option)} -d ${quoted(option.about)}`),
    ];
  }

  function flagOf({ flags, values }: PlaceOption): string {
    const names = flags.map((flag) =>
      flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
    );
    if (values === undefined) return names.join(' ');
    return [...names, '-r', ...(values.kind === 'any' ? [] : ['-f', '-a', candidates(values)])].join(' ');
  }

  function candidates(values: Exclude<WordValues, { readonly kind: 'any' }>): string {
    return quoted(values.kind === 'fixed' ? values.words.join(' ') : `(__${name}_ask ${values.of})`);
  }
}

/** The subcommands of the path are there, and none of those that may follow. */
function conditionOf(path: readonly string[], commands: Place['commands']): string {
  const seen = path.map((part) => `__fish_seen_subcommand_from ${part}`);
  const next = commands.map(({ text }) => text).join(' ');
  if (path.length === 0) return `not __fish_seen_subcommand_from ${next}`;
  return [...seen, ...(next ? [`not __fish_seen_subcommand_from ${next}`] : [])].join('; and ');
}

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
