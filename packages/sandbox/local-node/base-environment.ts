import { delimiter, dirname } from 'node:path';

/** All that a container inherits: what finds programs and shows text. Anything else of the parent may be a secret. */
const INHERITED = ['HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'] as const;

/** What stands in for the environment of an image; `node` is the one that runs this. */
export function baseEnvironment(hostname: string, parent = process.env): Record<string, string> {
  const kept = INHERITED.flatMap((name) => (parent[name] === undefined ? [] : [[name, parent[name]]]));
  const PATH = [dirname(process.execPath), parent.PATH ?? '/usr/local/bin:/usr/bin:/bin'].join(delimiter);
  return { ...Object.fromEntries(kept), PATH, HOSTNAME: hostname };
}
