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

/** Returns whether a word is a name or a misspelling of it. */
export const resembles = (word: string, name: string): boolean => distance(word, name) <= name.length / 4;

/** Requires three letters: shorter words start too many names. */
const isStart = (word: string, name: string) => word.length > 2 && name.toLowerCase().startsWith(word);

/** Returns a suffix for an error message. */
export const didYouMean = (name: string | undefined) => (name === undefined ? '' : `did you mean ${name}?`);
