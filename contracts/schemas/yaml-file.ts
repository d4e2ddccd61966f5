import { parseAllDocuments } from 'yaml';
import { YAML_AS_KUBECTL } from '../../language/yaml.ts';
import { formatFault } from '../faults.ts';
import { hideInText } from '../secrets/hide-in-text.ts';
import type { Fault } from '../types.ts';

/** What is wrong with a file, a line each. */
export interface FaultyFile {
  readonly faults: readonly [string, ...string[]];
}

/** Reads the text of a file that has one document, and checks that. */
export function readYamlText<R extends object>(
  text: string,
  path: string,
  parse: (document: unknown) => R | { readonly faults: readonly Fault[] },
): R | FaultyFile {
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
