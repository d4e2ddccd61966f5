import { isUtf8 } from 'node:buffer';
import type { Document } from 'yaml';
import { asError } from '../../language/error-message.ts';
import { YAML_AS_KUBECTL } from '../../language/yaml.ts';
import { ManifestFileError } from '../shell/errors.ts';

/** Returns the text of a file; `from` names it in errors. YAML and JSON are UTF-8, as kubectl reads them. */
export function decodeUtf8(bytes: Buffer, from: string): string {
  if (isUtf8(bytes)) return bytes.toString('utf8').replace(/^\uFEFF/, '');
  const { line, column, byte } = firstThatIsNotUtf8(bytes);
  throw new ManifestFileError(
    `${from}:${line}:${column}: expected UTF-8, got the byte 0x${byte.toString(16)}.`,
    {
      remedy: 'Save the file as UTF-8; `iconv -f latin1 -t utf-8 FILE` converts from Latin-1.',
    },
  );
}

/** Parses a text into values; `at` names its source, and a place in it like `:2:1`, in errors. */
export async function parseYaml(content: string, at: (place: string) => string): Promise<unknown[]> {
  const yaml = await import('yaml');
  const whole = { text: content, offset: 0 };
  // JSON objects in a row are no YAML.
  const parts = isBroken(yaml, whole) ? partsOf(content) : [whole];
  const values = parts.flatMap(({ text, offset }) =>
    valuesIn(yaml, text, (place) => at(place === undefined ? '' : placeIn(content, offset + place))),
  );
  // null: nothing, or only comments, between two separators.
  return values.filter((value) => value !== null);
}

type Yaml = typeof import('yaml');

const documentsIn = (yaml: Yaml, text: string): readonly Document[] => [
  ...yaml.parseAllDocuments(text, { ...YAML_AS_KUBECTL, prettyErrors: false }),
];

const isBroken = (yaml: Yaml, { text }: Part) =>
  text.trimStart().startsWith('{') && documentsIn(yaml, text).some(({ errors }) => errors.length > 0);

/** Throws with the place of the first error, an offset in the text. */
function valuesIn(yaml: Yaml, text: string, at: (place?: number) => string): unknown[] {
  const documents = documentsIn(yaml, text);
  const broken = documents.flatMap(({ errors }) => errors)[0];
  if (broken) throw notYaml(at(broken.pos[0]), broken);
  const values = documents.map((document) => toValue(document, at()));
  for (const [index, value] of values.entries()) {
    if (isCyclic(value)) throw notYaml(at(cycleIn(documents[index]!, yaml.visit) ?? 0), new Error(CYCLE));
  }
  return values;
}

/** Throws if the aliases of a document would make it very large. */
function toValue(document: Document, from: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw notYaml(from, asError(error));
  }
}

/** YAML allows cycles; JSON does not, and no manifest needs them. */
function isCyclic(value: unknown, around: readonly unknown[] = []): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (around.includes(value)) return true;
  return Object.values(value).some((inner) => isCyclic(inner, [...around, value]));
}

const CYCLE = 'an alias (*) inside the node that it refers to (&)';

/** Returns where an alias refers to a node around it. */
function cycleIn(document: Document, visit: typeof import('yaml').visit): number | undefined {
  let found: number | undefined;
  visit(document, {
    Alias: (_key, alias, around) => {
      const target = alias.resolve(document);
      if (target === undefined || !around.includes(target)) return undefined;
      found = alias.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return found;
}

function placeIn(content: string, offset: number): string {
  const before = content.slice(0, offset);
  return `:${before.split('\n').length}:${offset - before.lastIndexOf('\n')}`;
}

/** No byte of a UTF-8 sequence is a line feed, so lines can be tested one by one. */
function firstThatIsNotUtf8(bytes: Buffer): { line: number; column: number; byte: number } {
  let line = 1;
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(0x0a, start);
    const content = bytes.subarray(start, end < 0 ? bytes.length : end);
    if (!isUtf8(content)) {
      const valid = content.toString('utf8').split('\uFFFD')[0]!;
      return { line, column: valid.length + 1, byte: content[Buffer.byteLength(valid)]! };
    }
    line += 1;
    start = end + 1;
  }
}

const notYaml = (where: string, cause: Error) =>
  new ManifestFileError(`${where}: expected YAML or JSON, got ${cause.message.replace(/[.:]$/, '')}.`, {
    cause,
  });

/** A part of a text, and where it begins. */
interface Part {
  readonly text: string;
  readonly offset: number;
}

/**
 * Splits JSON objects that follow each other without a separator, as `jq` and `kubectl get -w -o json` print them and
 * kubectl reads them. Any other text is one part.
 */
function partsOf(content: string): readonly Part[] {
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
