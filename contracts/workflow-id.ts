/** Temporal refuses longer ids (`limit.maxIDLength`), or breaks the connection if they are very long. */
const MOST_BYTES = 1_000;

/**
 * Returns why a text cannot be the id of a workflow or a run; undefined if it can. SQL databases store no control
 * characters.
 */
export function faultOfId(text: string): string | undefined {
  if (new TextEncoder().encode(text).length > MOST_BYTES)
    return `expected at most ${MOST_BYTES} bytes, got more`;
  if (/\p{Cc}/u.test(text)) return 'expected no control characters, got some';
  return text === '' ? 'expected an id, got nothing' : undefined;
}

/** Returns the text if it can be an id. */
export const asId = (text: string | undefined): string | undefined =>
  text === undefined || faultOfId(text) !== undefined ? undefined : text;
