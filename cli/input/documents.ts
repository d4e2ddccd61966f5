import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Tags } from 'yaml';
import { ManifestFileError } from '../errors.ts';

/** One object of a file. */
export interface Document {
  readonly file: string;
  /** The file, and where it has several objects, which one. */
  readonly where: string;
  readonly value: unknown;
}

/** Folders stand for the YAML and JSON files in them, as for kubectl. */
export async function filesOf(paths: readonly string[]): Promise<string[]> {
  return (await Promise.all(paths.map(filesAt))).flat();
}

/** The documents of a YAML or JSON file, with lists taken apart; `-` is standard input. */
export async function readDocuments(path: string): Promise<Document[]> {
  const file = path === '-' ? 'standard input' : path;
  const content = path === '-' ? await text(process.stdin) : await readText(path);
  const documents = (await parseYaml(content, file)).map((value, index, { length }) => ({
    ...{ file, value },
    where: length > 1 ? `${file}, document ${index + 1}` : file,
  }));
  if (documents.length === 0) throw new ManifestFileError(`${file}: expected a document, got none.`);
  return documents.flatMap(itemsOf);
}

async function filesAt(path: string): Promise<string[]> {
  const isFolder = path !== '-' && (await stat(path).catch(() => undefined))?.isDirectory();
  if (!isFolder) return [path];
  const names = (await readdir(path)).filter((name) => /\.(ya?ml|json)$/.test(name)).sort();
  if (names.length === 0)
    throw new ManifestFileError(`${path}: expected YAML or JSON files in it, got none.`);
  return names.map((name) => join(path, name));
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const what = code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`;
    throw new ManifestFileError(`${path}: ${what}.`, { cause });
  }
}

/** The values in a text; `from` is where it comes from, as an error names it. */
export async function parseYaml(content: string, from: string): Promise<unknown[]> {
  const { parseAllDocuments } = await import('yaml');
  // As kubectl reads it: YAML 1.1, where 0600 is octal, but without its times and numbers to the base of 60.
  const options = {
    version: '1.1',
    customTags: (tags: Tags) => tags.filter((tag) => !isOfTime(tag)),
  } as const;
  const documents = [...parseAllDocuments(content, options)];
  const broken = documents.flatMap(({ errors }) => errors)[0];
  if (broken) throw notYaml(from, broken);
  try {
    // Nothing, or nothing but comments, between two separators.
    const values: unknown[] = documents.map((document) => document.toJS());
    if (values.some((value) => isCyclic(value)))
      throw new Error('an alias (*) inside of what it stands for (&)');
    return values.filter((value) => value !== null);
  } catch (error) {
    throw notYaml(from, error as Error);
  }
}

/** YAML can say it, JSON cannot, and no manifest means it. */
function isCyclic(value: unknown, around: readonly unknown[] = []): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (around.includes(value)) return true;
  return Object.values(value).some((inner) => isCyclic(inner, [...around, value]));
}

const isOfTime = (tag: Tags[number]) =>
  typeof tag === 'object' &&
  (tag.tag === 'tag:yaml.org,2002:timestamp' || ('format' in tag && tag.format === 'TIME'));

const notYaml = (from: string, cause: Error) =>
  new ManifestFileError(
    `${from}: expected YAML or JSON, got ${cause.message.split('\n')[0]?.replace(/:$/, '')}`,
    { cause },
  );

/** `kind: List` holds what could as well be documents. */
function itemsOf({ file, where, value }: Document): Document[] {
  const { kind, items } = (value ?? {}) as { readonly kind?: unknown; readonly items?: unknown };
  if (!String(kind).endsWith('List') || !Array.isArray(items)) return [{ file, where, value }];
  return items.flatMap((item, index) => itemsOf({ file, where: `${where}, item ${index + 1}`, value: item }));
}
