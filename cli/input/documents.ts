import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { errorCode } from '../../language/error-code.ts';
import { asFields } from '../../language/fields.ts';
import { orMeant } from '../../language/meant.ts';
import { ManifestFileError } from '../shell/errors.ts';
import { decodeUtf8, parseYaml } from './yaml-text.ts';

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
  const bytes = path === '-' ? await buffer(process.stdin) : await readBytes(path);
  const documents = (await parseYaml(decodeUtf8(bytes, file), (place) => `${file}${place}`)).map(
    (value, index, { length }) => ({
      ...{ file, value },
      where: length > 1 ? `${file}, document ${index + 1}` : file,
    }),
  );
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

async function readBytes(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    const code = errorCode(cause);
    const what =
      code === 'ENOENT' ? `no such file${orMeant(await nearFile(path))}` : `cannot be read (${code}).`;
    throw new ManifestFileError(`${path}: ${what}`, { cause });
  }
}

async function nearFile(path: string): Promise<string | undefined> {
  const { nearest } = await import('../../language/did-you-mean.ts');
  const near = nearest(basename(path), await readdir(dirname(path)).catch(() => []));
  return near === undefined ? undefined : join(dirname(path), near);
}

/** Splits a `kind: List` into documents. */
function itemsOf({ file, where, value }: Document): Document[] {
  const { kind, items } = asFields(value);
  if (!String(kind).endsWith('List') || !Array.isArray(items)) return [{ file, where, value }];
  return items.flatMap((item, index) => itemsOf({ file, where: `${where}, item ${index + 1}`, value: item }));
}
