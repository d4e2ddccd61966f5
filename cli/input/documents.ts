import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { YAML_AS_KUBECTL } from '../../contracts/yaml.ts';
import { ManifestFileError } from '../errors.ts';

/** One object of a file. */
export interface Document {
  readonly file: string;
  /** The file and, if it has several objects, the position in it. */
  readonly where: string;
  readonly value: unknown;
}

/** Expands folders to the YAML and JSON files in them, as kubectl does. */
export async function filesOf(paths: readonly string[]): Promise<string[]> {
  return (await Promise.all(paths.map(filesAt))).flat();
}

/** Reads the documents of a YAML or JSON file and splits lists; `-` is standard input. */
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

/** Parses a text into values; `from` names its source in errors. */
export async function parseYaml(content: string, from: string): Promise<unknown[]> {
  const { parseAllDocuments } = await import('yaml');
  const documents = [...parseAllDocuments(content, YAML_AS_KUBECTL)];
  const broken = documents.flatMap(({ errors }) => errors)[0];
  if (broken) throw notYaml(from, broken);
  try {
    // null: nothing, or only comments, between two separators.
    const values: unknown[] = documents.map((document) => document.toJS());
    if (values.some((value) => isCyclic(value)))
      throw new Error('an alias (*) inside the node that it refers to (&)');
    return values.filter((value) => value !== null);
  } catch (error) {
    throw notYaml(from, error as Error);
  }
}

/** YAML allows cycles; JSON does not, and no manifest needs them. */
function isCyclic(value: unknown, around: readonly unknown[] = []): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (around.includes(value)) return true;
  return Object.values(value).some((inner) => isCyclic(inner, [...around, value]));
}

const notYaml = (from: string, cause: Error) =>
  new ManifestFileError(
    `${from}: expected YAML or JSON, got ${cause.message.split('\n')[0]?.replace(/:$/, '')}`,
    { cause },
  );

/** Splits a `kind: List` into documents. */
function itemsOf({ file, where, value }: Document): Document[] {
  const { kind, items } = (value ?? {}) as { readonly kind?: unknown; readonly items?: unknown };
  if (!String(kind).endsWith('List') || !Array.isArray(items)) return [{ file, where, value }];
  return items.flatMap((item, index) => itemsOf({ file, where: `${where}, item ${index + 1}`, value: item }));
}
