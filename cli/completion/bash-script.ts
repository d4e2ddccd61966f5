import { flagsWithValues, PASSED_ON, type Place, type PlaceOption, type WordValues } from './place.ts';

/** Returns a completion script for bash, which zsh can run too. */
export function bashScript(name: string, places: readonly Place[]): string {
  const options = [
    ...new Map(places.flatMap((place) => place.options).map((each) => [each.flags[0], each])).values(),
  ];
  return `# bash completion for ${name}
_${name}() {
  local word="\${COMP_WORDS[COMP_CWORD]}" place="" flag="" part
  local -a given=() args=()
  for part in "\${COMP_WORDS[@]:1:$((COMP_CWORD-1))}"; do
    if [[ -n "$flag" ]]; then
      case "$flag" in ${PASSED_ON.join('|')}) given+=("$flag" "$part");; esac
      flag=""
      continue
    fi
    case "$part" in ${flagsWithValues(places).join('|')}) flag="$part"; continue;; esac
    case "\${place:+$place }$part" in
${places
  .filter(({ path }) => path.length > 0)
  .map(({ path }) => `      "${path.join(' ')}") place="${path.join(' ')}"; args=();;`)
  .join('\n')}
      *) [[ "$part" == -* ]] || args+=("$part");;
    esac
  done
  COMPREPLY=()
  if [[ -n "$flag" ]]; then
    case "$place $flag" in
${options.flatMap(valueCases).join('\n')}
    esac
    return
  fi
  if [[ "$word" == -* ]]; then
    case "$place" in
${places.map(flagCase).join('\n')}
    esac
    return
  fi
  case "$place" in
${places.flatMap(argumentCase).join('\n')}
  esac
}
# compgen of zsh leaves nothing out.
_${name}_beginning() {
  local each
  for each in $1; do [[ "$each" == "$word"* ]] && COMPREPLY+=("$each"); done
}
_${name}_words() {
  COMPREPLY=()
  _${name}_beginning "$1"
  # Words of signalbox are taken in any case.
  (( \${#COMPREPLY[@]} )) || _${name}_beginning "$(printf '%s' "$1" | tr '[:upper:]' '[:lower:]')"
}
_${name}_ask() {
  compopt +o default 2> /dev/null
  _${name}_words "$("\${COMP_WORDS[0]}" "\${given[@]}" __complete "$1" "$word" "\${args[@]}" 2> /dev/null)"
}
# NAME@RUN is one word.
COMP_WORDBREAKS="\${COMP_WORDBREAKS//@}"
complete -o default -F _${name} ${name}`;

  /** Commands that take other values than most come first. */
  function valueCases({ flags }: PlaceOption): string[] {
    const takers = places.flatMap(({ path, options: own }) =>
      own
        .filter((one) => one.flags[0] === flags[0])
        .map(({ values }) => ({ path: path.join(' '), complete: completing(values) ?? '' })),
    );
    if (takers.every(({ complete }) => complete === '')) return [];
    const byRarity = [...Map.groupBy(takers, ({ complete }) => complete)].sort(
      ([, a], [, b]) => a.length - b.length,
    );
    return byRarity.map(([complete, at], index) => {
      const isUsual = index === byRarity.length - 1;
      const starts = isUsual ? ['*"'] : at.map(({ path }) => `"${path}`);
      const patterns = starts.flatMap((start) => flags.map((flag) => `${start} ${flag}"`));
      return `      ${patterns.join('|')}) ${complete};;`;
    });
  }

  function flagCase({ path, options: own }: Place): string {
    return `      "${path.join(' ')}") _${name}_words "${own.flatMap(({ flags }) => flags).join(' ')}";;`;
  }

  function argumentCase({ path, commands, args }: Place): string[] {
    const words = commands.map(({ text }) => text);
    const complete = words.length > 0 ? completing({ kind: 'fixed', words }) : completingEach(args);
    return complete ? [`    "${path.join(' ')}") ${complete};;`] : [];
  }

  /** By how many arguments are there. */
  function completingEach(args: readonly WordValues[]): string | undefined {
    const completes = args.map(completing);
    const last = completes.at(-1);
    if (completes.every((complete) => complete === last)) return last;
    const cases = completes.map((complete = ':', index) =>
      index < completes.length - 1 ? `${index}) ${complete};;` : `*) ${complete};;`,
    );
    return `case \${#args[@]} in ${cases.join(' ')} esac`;
  }

  /** Undefined: the shell completes files. */
  function completing(values: WordValues | undefined): string | undefined {
    if (values?.kind === 'fixed') return `_${name}_words "${values.words.join(' ')}"`;
    return values?.kind === 'asked' ? `_${name}_ask ${values.of}` : undefined;
  }
}
