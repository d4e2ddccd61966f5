import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { ManifestFileError } from './errors.ts';

/** The one document of a YAML or JSON file; `-` is standard input. */
export async function readManifest(path: string): Promise<unknown> {
  const where = path === '-' ? 'standard input' : path;
  const content = path === '-' ? await text(process.stdin) : await readText(path);
  const { parseAllDocuments } = await import('yaml');
  const documents = [...parseAllDocuments(content)].filter((document) => document.contents !== null);
  const broken = documents.flatMap(({ errors }) => errors)[0];
  if (broken)
    throw new ManifestFileError(`${where}: expected YAML or JSON, got ${broken.message.split('\n')[0]}`);
  if (documents.length !== 1) {
    const remedy = documents.length
      ? 'Put each job into a file of its own and submit them one by one.'
      : undefined;
    throw new ManifestFileError(`${where}: expected one document, got ${documents.length}.`, { remedy });
  }
  return documents[0]?.toJS();
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
