import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import { formatFault } from '../../contracts/faults.ts';
import { hideInText } from '../../contracts/secrets/hide-in-text.ts';
import { errorMessage } from '../../language/error-message.ts';
import { YAML_AS_KUBECTL } from '../../language/yaml.ts';
import { type NotificationRoutes, parseRoutes } from './parse-routes.ts';

/** What a file of routes says, or what is wrong with it, a line each. */
export type ReadRoutes =
  | { readonly routes: NotificationRoutes }
  | { readonly faults: readonly [string, ...string[]] };

/** Reads and checks a file of routes. Does not read the secrets that it names. */
export async function readRoutes(path: string): Promise<ReadRoutes> {
  try {
    return routesIn(await readFile(path, 'utf8'), path);
  } catch (error) {
    return { faults: [`${path}: expected a file that can be read: ${errorMessage(error)}`] };
  }
}

export function routesIn(text: string, path: string): ReadRoutes {
  const documents = parseAllDocuments(text, YAML_AS_KUBECTL);
  const [document] = documents;
  if (!document || documents.length !== 1)
    return {
      faults: [`${path}: expected one document, got ${'empty' in documents ? 'none' : documents.length}`],
    };
  const [wrong] = document.errors;
  if (wrong) return { faults: [`${path}: expected YAML: ${wrong.message.split('\n')[0]}`] };
  const read = parseRoutes(document.toJS());
  if ('routes' in read) return read;
  // Faults are logged, and stand in a history: a URL with a password is a fault itself.
  const [first, ...others] = read.faults.map((fault) => `${path}: ${hideInText(formatFault(fault))}`);
  return { faults: [first!, ...others] };
}
