/** A part of a text, and where it begins. */
export interface Part {
  readonly text: string;
  readonly offset: number;
}

/**
 * Splits JSON objects that follow each other without a separator, as `jq` and `kubectl get -w -o json` print them and
 * kubectl reads them. Any other text is one part.
 */
export function partsOf(content: string): readonly Part[] {
  const parts: Part[] = [];
  let offset = content.search(/\S/);
  while (content[offset] === '{') {
    const end = endOfObject(content, offset);
    if (end === undefined) break;
    parts.push({ text: content.slice(offset, end), offset });
    const next = content.slice(end).search(/\S/);
    if (next < 0) return parts;
    offset = end + next;
  }
  return [{ text: content, offset: 0 }];
}

/** Returns where the brace at `start` is closed; braces in strings do not count. */
function endOfObject(content: string, start: number): number | undefined {
  const tokens = /"(?:\\.|[^"\\])*"|[{}]/gs;
  tokens.lastIndex = start;
  let depth = 0;
  for (let token = tokens.exec(content); token; token = tokens.exec(content)) {
    if (token[0] === '{') depth += 1;
    if (token[0] === '}') depth -= 1;
    if (depth === 0) return tokens.lastIndex;
  }
  return undefined;
}
