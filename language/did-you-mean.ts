import { distance } from 'fastest-levenshtein';

/** Returns the known name that was probably meant; undefined if none is close. Ignores case. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const given = word.toLowerCase();
  const [best] = known
    .map((name) => ({ name, edits: distance(given, name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= Math.max(1, Math.floor(name.length / 3)) || isStart(given, name))
    .sort((a, b) => a.edits - b.edits);
  return best?.name;
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

/** Returns a suffix for an error message. */
export const didYouMean = (name: string | undefined) => (name === undefined ? '' : `did you mean ${name}?`);
