import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import { errorMessage } from '../../language/error-message.ts';
import { YAML_AS_KUBECTL } from '../../language/yaml.ts';
import { formatFault } from '../faults.ts';
import { hideInText } from '../secrets/hide-in-text.ts';
import type { Fault } from '../types.ts';

/** What is wrong with a file, a line each. */
export interface FaultyFile {
  readonly faults: readonly [string, ...string[]];
}

/** Reads a file that has one document, and checks that. */
export async function readYamlFile<R extends object>(path: string, parse: Parse<R>): Promise<R | FaultyFile> {
  try {
    return readYamlText(await readFile(path, 'utf8'), path, parse);
  } catch (error) {
    return { faults: [`${path}: expected a file that can be read: ${errorMessage(error)}`] };
  }
}

type Parse<R> = (document: unknown) => R | { readonly faults: readonly Fault[] };

/** The same of its text. */
export function readYamlText<R extends object>(text: string, path: string, parse: Parse<R>): R | FaultyFile {
  const documents = parseAllDocuments(text, YAML_AS_KUBECTL);
  const [document] = documents;
  if (!document || documents.length !== 1)
    return {
      faults: [`${path}: expected one document, got ${'empty' in documents ? 'none' : documents.length}`],
    };
  const [wrong] = document.errors;
  if (wrong) return { faults: [`${path}: expected YAML: ${wrong.message.split('\n')[0]}`] };
  const read = parse(document.toJS());
  if (!('faults' in read)) return read;
  // Faults are logged, and may stand in a history: a URL with a password is a fault itself.
  const [first, ...others] = read.faults.map((fault) => `${path}: ${hideInText(formatFault(fault))}`);
  return { faults: [first!, ...others] };
}
