import { delimiter, dirname } from 'node:path';

/** The only variables that a container inherits. Any other variable of the parent may be a secret. */
const INHERITED = ['HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'] as const;

/** Replaces the environment of an image; `node` is the Node that runs this process. */
export function baseEnvironment(hostname: string, parent = process.env): Record<string, string> {
  const kept = INHERITED.flatMap((name) => (parent[name] === undefined ? [] : [[name, parent[name]]]));
  const PATH = [dirname(process.execPath), parent.PATH ?? '/usr/local/bin:/usr/bin:/bin'].join(delimiter);
  return { ...Object.fromEntries(kept), PATH, HOSTNAME: hostname };
}
