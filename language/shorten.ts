/**
 * Cuts a text to at most `length` UTF-16 units, between code points: half a character (a lone surrogate) is no Unicode, and
 * neither canonical JSON nor protobuf can hold it.
 */
export function truncate(text: string, length: number): string {
  const start = text.slice(0, length);
  return start.length < text.length && endsInHighSurrogate(start) ? start.slice(0, -1) : start;
}

const endsInHighSurrogate = (text: string) => (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800;

/** Cuts a text to at most `length` characters: after a whole word if possible, and with `…` at the end. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = truncate(text, length - 1);
  const wordEnd = text[length - 1] === ' ' ? start.length : start.lastIndexOf(' ');
  return `${wordEnd > 0 ? start.slice(0, wordEnd).trimEnd() : start}…`;
}

/** Temporal's limits of a summary and of details: of their JSON, in bytes. */
export const SUMMARY_BYTES = 400;
export const DETAILS_BYTES = 20_000;

/** Cuts a text so that its JSON has at most `most` bytes in UTF-8. Ends with `…` if something is missing. */
export function shortenToBytes(text: string, most: number): string {
  if (jsonBytes(text) <= most) return text;
  const letters = [...text];
  let [fits, tooLong] = [0, letters.length];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (jsonBytes(`${letters.slice(0, middle).join('')}…`) <= most) fits = middle;
    else tooLong = middle;
  }
  return `${letters.slice(0, fits).join('').trimEnd()}…`;
}

const jsonBytes = (text: string) => new TextEncoder().encode(JSON.stringify(text)).length;
