import { isDeepStrictEqual } from 'node:util';
import { flagsWithValues, PASSED_ON, type Place, type PlaceOption, type WordValues } from './place.ts';

/** Returns a completion script for fish, with descriptions. */
export function fishScript(name: string, places: readonly Place[]): string {
  return `# fish completion for ${name}
function __${name}_args
  set -l flag 0
  set -l rest
  for word in (commandline -opc)[2..]
    if test $flag = 1
      set flag 0
    else if contains -- $word ${flagsWithValues(places).join(' ')}
      set flag 1
    else if not string match -q -- '-*' $word
      set -a rest $word
    end
  end
  test (count $rest) -gt $argv[1]; and string join \\n -- $rest[(math $argv[1] + 1)..]
end
function __${name}_ask
  set -l words (commandline -opc)
  set -l given
  for index in (seq 2 (count $words))
    if contains -- $words[$index] ${PASSED_ON.join(' ')}
      set -l next (math $index + 1)
      test $next -le (count $words); and set -a given $words[$index] $words[$next]
    end
  end
  command $words[1] $given __complete $argv[1] (commandline -ct) (__${name}_args $argv[2]) 2> /dev/null
end
${places.flatMap(placeLines).join('\n')}`;

  function placeLines({ path, commands, args, options }: Place): string[] {
    const start = `complete -c ${name} -n '${conditionOf(path, commands)}'`;
    return [
      ...commands.map(({ text, about }) => `${start} -f -a ${text} -d ${quoted(about)}`),
      ...args.flatMap((values, index) => argumentLines(path, commands, { args, values, index })),
      ...options.map((option) => `${start} ${flagOf(option, path)} -d ${quoted(option.about)}`),
    ];
  }

  /** All arguments of one kind need no count of them. */
  function argumentLines(
    path: Place['path'],
    commands: Place['commands'],
    { args, values, index }: { args: Place['args']; values: WordValues; index: number },
  ): string[] {
    const isOneKind = args.every((other) => isDeepStrictEqual(other, values));
    if (values.kind === 'any' || (isOneKind && index > 0)) return [];
    const count = `test (count (__${name}_args ${path.length})) ${index < args.length - 1 ? '-eq' : '-ge'} ${index}`;
    const condition = [conditionOf(path, commands), ...(isOneKind ? [] : [count])].join('; and ');
    return [`complete -c ${name} -n '${condition}' -f -a ${candidates(values, path)}`];
  }

  function flagOf({ flags, values }: PlaceOption, path: Place['path']): string {
    const names = flags.map((flag) =>
      flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
    );
    if (values === undefined) return names.join(' ');
    return [...names, '-r', ...(values.kind === 'any' ? [] : ['-f', '-a', candidates(values, path)])].join(
      ' ',
    );
  }

  function candidates(values: Exclude<WordValues, { readonly kind: 'any' }>, path: Place['path']): string {
    return quoted(
      values.kind === 'fixed' ? values.words.join(' ') : `(__${name}_ask ${values.of} ${path.length})`,
    );
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
