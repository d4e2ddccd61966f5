import { type FaultyFile, readYamlFile, readYamlText } from '../../contracts/schemas/yaml-file.ts';
import { type NotificationRoutes, parseRoutes } from './parse-routes.ts';

/** What a file of routes says, or what is wrong with it, a line each. */
export type ReadRoutes = { readonly routes: NotificationRoutes } | FaultyFile;

/** Reads and checks a file of routes. Does not read the secrets that it names. */
export const readRoutes = (path: string): Promise<ReadRoutes> => readYamlFile(path, parseRoutes);

export const routesIn = (text: string, path: string): ReadRoutes => readYamlText(text, path, parseRoutes);
