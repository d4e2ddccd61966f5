import { isFields } from '../language/fields.ts';
import { truncate } from '../language/shorten.ts';

/** SQL visibility stores keep keywords in columns of this length. */
const LONGEST_KEYWORD = 255;
/** Temporal limits the value of a search attribute to 2 KiB, as JSON. */
const LONGEST_LIST = 2_000;

/** Returns a text as a keyword: SQL stores no control characters. */
export const searchableText = (text: string): string =>
  truncate(text.replaceAll(/\p{Cc}/gu, ''), LONGEST_KEYWORD);

/**
 * Returns `key=value` for each label in a manifest's metadata, sorted, as the search attribute `JobLabels` has them.
 * Leaves out what is no text, and what a visibility store would refuse.
 */
export function searchableLabels(manifest: unknown): readonly string[] {
  const metadata = isFields(manifest) ? manifest.metadata : undefined;
  const labels = isFields(metadata) && isFields(metadata.labels) ? metadata.labels : {};
  const pairs = Object.entries(labels)
    .filter(([, value]) => typeof value === 'string')
    .map(([key, value]) => `${key}=${value}`)
    .filter((pair) => pair === searchableText(pair))
    .sort();
  let length = 0;
  return pairs.filter((pair) => {
    length += new TextEncoder().encode(JSON.stringify(pair)).length + 1;
    return length <= LONGEST_LIST;
  });
}
