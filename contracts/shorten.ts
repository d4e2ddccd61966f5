/** Cuts a text to at most `length` characters: after a whole word if possible, and with `…` at the end. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = text.slice(0, length - 1);
  const wordEnd = text[length - 1] === ' ' ? start.length : start.lastIndexOf(' ');
  return `${wordEnd > 0 ? start.slice(0, wordEnd).trimEnd() : start}…`;
}
