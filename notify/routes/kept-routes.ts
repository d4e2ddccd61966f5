import { isDeepStrictEqual } from 'node:util';
import type { NotificationRoutes } from './parse-routes.ts';
import { type ReadRoutes, readRoutes } from './read-routes.ts';

/** The routes of a notifier. A file with faults changes nothing: the last good one stays. */
export class KeptRoutes {
  readonly path: string;
  readonly #read: (path: string) => Promise<ReadRoutes>;
  #routes: NotificationRoutes | undefined;
  #faults: readonly string[] = [];
  #text = '';

  constructor(path: string, read: (path: string) => Promise<ReadRoutes> = readRoutes) {
    this.path = path;
    this.#read = read;
  }

  /** The same object as long as the routes are the same; undefined as long as no file was good. */
  get routes(): NotificationRoutes | undefined {
    return this.#routes;
  }

  get faults(): readonly string[] {
    return this.#faults;
  }

  /** Reads the file again. Returns whether routes or faults have changed. */
  async refresh(): Promise<boolean> {
    const read = await this.#read(this.path);
    const text = JSON.stringify(read);
    if (text === this.#text) return false;
    this.#text = text;
    this.#faults = 'faults' in read ? read.faults : [];
    if ('routes' in read && !isDeepStrictEqual(read.routes, this.#routes)) this.#routes = read.routes;
    return true;
  }
}
