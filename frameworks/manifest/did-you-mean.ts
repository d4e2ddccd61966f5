import { distance } from 'fastest-levenshtein';

/** The known name that a word was probably meant to be; undefined where none is close. Case does not matter. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const given = word.toLowerCase();
  const [best] = known
    .map((name) => ({ name, edits: distance(given, name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= Math.max(1, Math.floor(name.length / 3)) || isStart(given, name))
    .sort((a, b) => a.edits - b.edits);
  return best?.name;
}

/** Of three letters at least: shorter ones begin too much. */
const isStart = (word: string, name: string) => word.length > 2 && name.toLowerCase().startsWith(word);

/** As it is added to a sentence. */
export const didYouMean = (name: string | undefined) => (name === undefined ? '' : `did you mean ${name}?`);
