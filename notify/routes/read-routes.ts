import { readFile } from 'node:fs/promises';
import { type FaultyFile, readYamlText } from '../../contracts/schemas/yaml-file.ts';
import { errorMessage } from '../../language/error-message.ts';
import { type NotificationRoutes, parseRoutes } from './parse-routes.ts';

/** What a file of routes says, or what is wrong with it, a line each. */
export type ReadRoutes = { readonly routes: NotificationRoutes } | FaultyFile;

/** Reads and checks a file of routes. Does not read the secrets that it names. */
export async function readRoutes(path: string): Promise<ReadRoutes> {
  try {
    return routesIn(await readFile(path, 'utf8'), path);
  } catch (error) {
    return { faults: [`${path}: expected a file that can be read: ${errorMessage(error)}`] };
  }
}

export const routesIn = (text: string, path: string): ReadRoutes => readYamlText(text, path, parseRoutes);
