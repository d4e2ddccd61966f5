/** Returns the known name that was probably meant; undefined if none is close. Ignores case. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const given = word.toLowerCase();
  const [best] = known
    .map((name) => ({ name, edits: editsBetween(given, name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= Math.max(1, Math.floor(name.length / 3)) || isStart(given, name))
    .sort((a, b) => a.edits - b.edits);
  return best?.name;
}

/** Two neighbours that are swapped are one slip: `trian`. */
function editsBetween(given: string, name: string): number {
  const edits = distance(given, name);
  if (edits !== 2 || given.length !== name.length) return edits;
  const at = [...name].findIndex((sign, index) => sign !== given[index]);
  return given[at] === name[at + 1] && given[at + 1] === name[at] ? 1 : edits;
}

/**
 * Returns the known name that was probably meant, of names like `nvidia.com/gpu`: a long prefix that is right does not make another name
 * near, and a name that is right does not need its prefix.
 */
export function nearestQualified(word: string, known: readonly string[]): string | undefined {
  const given = partsOf(word);
  const [best] = known
    .filter((name) => name !== word)
    .map((full) => {
      const { prefix, name } = partsOf(full);
      const ofPrefix = distance(given.prefix, prefix);
      const ofName = distance(given.name, name);
      const isNear =
        ofName <= Math.ceil(name.length / 3) &&
        (ofName === 0 || given.prefix === '' || ofPrefix <= Math.floor(prefix.length / 3));
      return { full, isNear, edits: ofName * 10 + ofPrefix };
    })
    .filter(({ isNear }) => isNear)
    .sort((a, b) => a.edits - b.edits);
  return best?.full;
}

function partsOf(word: string): { readonly prefix: string; readonly name: string } {
  const lower = word.toLowerCase();
  const slash = lower.lastIndexOf('/');
  return { prefix: lower.slice(0, slash + 1), name: lower.slice(slash + 1) };
}

/** Returns whether a word is a name or a misspelling of it. */
export const resembles = (word: string, name: string): boolean => distance(word, name) <= name.length / 4;

/** Requires three letters: shorter words start too many names. */
const isStart = (word: string, name: string) => word.length > 2 && name.toLowerCase().startsWith(word);

/** Returns the Levenshtein distance. */
function distance(one: string, other: string): number {
  let before = Array.from({ length: [...other].length + 1 }, (_, column) => column);
  for (const [row, sign] of [...one].entries()) {
    const present = [row + 1];
    for (const [column, wanted] of [...other].entries()) {
      const substituted = before[column]! + (sign === wanted ? 0 : 1);
      present.push(Math.min(before[column + 1]! + 1, present[column]! + 1, substituted));
    }
    before = present;
  }
  return before.at(-1)!;
}
