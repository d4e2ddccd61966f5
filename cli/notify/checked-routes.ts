import { access, constants } from 'node:fs/promises';
import { keysOf } from '../../language/fields.ts';
import type { NotificationRoutes } from '../../notify/routes/parse-routes.ts';
import { readRoutes } from '../../notify/routes/read-routes.ts';
import { UsageError } from '../shell/errors.ts';

/** A file of routes that has no fault. */
export interface CheckedRoutes {
  readonly file: string;
  readonly receivers: NotificationRoutes['receivers'];
  readonly routes: NotificationRoutes['routes'];
  /** Files of secrets that cannot be read here. The notifier may be able to. */
  readonly unreadable: readonly string[];
  /** Receivers that no route names. */
  readonly unused: readonly string[];
}

const NO_ROUTES = 'Give a file, or set SIGNALBOX_NOTIFICATIONS (docs/notifications.md).';

/** Reads the file of routes. Throws an error that names all faults. */
export async function routesOf(
  file: string | undefined,
): Promise<{ readonly file: string; readonly routes: NotificationRoutes }> {
  if (file === undefined) throw new UsageError('No file of routes is set.', { remedy: NO_ROUTES });
  const read = await readRoutes(file);
  if ('routes' in read) return { file, routes: read.routes };
  throw new UsageError(`The routes have faults:\n${read.faults.map((fault) => `  ${fault}`).join('\n')}`, {
    remedy: 'docs/notifications.md has every field.',
  });
}

export async function checkedRoutes(given: string | undefined): Promise<CheckedRoutes> {
  const { file, routes: all } = await routesOf(given);
  const { receivers, routes } = all;
  const used = new Set(Object.values(routes).map(({ to }) => to));
  const unreadable = await Promise.all(
    secretFiles(all).map(async (path) => ((await isReadable(path)) ? [] : [path])),
  );
  return {
    ...{ file, receivers, routes, unreadable: unreadable.flat() },
    unused: keysOf(receivers).filter((name) => !used.has(name)),
  };
}

const secretFiles = ({ receivers }: NotificationRoutes): string[] =>
  Object.values(receivers).flatMap((receiver) =>
    Object.entries(receiver).flatMap(([field, value]) =>
      /File$/.test(field) && typeof value === 'string' ? [value] : [],
    ),
  );

const isReadable = (path: string): Promise<boolean> =>
  access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
