/** At most `length` characters of a text. One that is cut ends after a whole word, where there is one, and with `…`. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = text.slice(0, length - 1);
  const wordEnd = text[length - 1] === ' ' ? start.length : start.lastIndexOf(' ');
  return `${wordEnd > 0 ? start.slice(0, wordEnd).trimEnd() : start}…`;
}
