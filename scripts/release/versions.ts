import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the one version of all that is published stands: each match of a pattern has it as its group. */
const PLACES: Readonly<Record<string, readonly RegExp[]>> = {
  'package.json': [/^ {2}"version": "(.+)"/gm, /"@signalbox\/sandbox": "(.+)"/g],
  'packages/sandbox/package.json': [/^ {2}"version": "(.+)"/gm],
  // Of signalbox itself and of the sandbox, not of the other packages.
  'package-lock.json': [
    /^ {2}"version": "(.+)"/gm,
    /"(?:|packages\/sandbox)": \{\n(?: {6}"name": ".*",\n)? {6}"version": "(.+)"/g,
    /"@signalbox\/sandbox": "(\d.*)"/g,
  ],
  'python/pyproject.toml': [/^version = "(.+)"/gm],
  'charts/signalbox/Chart.yaml': [/^version: (.+)$/gm, /^appVersion: (.+)$/gm],
  'deploy/kubernetes/cluster/kustomization.yaml': [
    /app\.kubernetes\.io\/version: (.+)$/gm,
    /newTag: (.+)$/gm,
  ],
  'deploy/kubernetes/mpi/kustomization.yaml': [/app\.kubernetes\.io\/version: (.+)$/gm],
  'deploy/kubernetes/people/kustomization.yaml': [/app\.kubernetes\.io\/version: (.+)$/gm],
  ...Object.fromEntries(
    ['.env.example', 'docker-compose.yml', 'docs/client.md', 'docs/deployment.md', 'docs/install.md', 'docs/pipelines.md'].map(
      // Images and archives of packages.
      (file) => [file, [/\bsignalbox(?:-client)?[-:](\d+\.\d+\.\d+)/g]],
    ),
  ),
};

/** A version in a place. */
interface Found {
  readonly place: string;
  readonly version: string;
}

/** Returns the versions that the checkout in the folder `root` names. Throws if a place has none. */
export const versionsIn = (root: string): readonly Found[] =>
  Object.entries(PLACES).flatMap(([file, patterns]) => {
    const text = readFileSync(join(root, file), 'utf8');
    return patterns.flatMap((pattern) => {
      const found = [...text.matchAll(pattern)].map(([, version]) => ({ place: file, version: version! }));
      if (found.length === 0)
        throw new Error(`${file}: expected a version as in ${pattern.source}, got none`);
      return found;
    });
  });

/** Sets the version everywhere. Returns the files that have it now and had another one. */
export function setVersion(root: string, version: string): readonly string[] {
  const others = versionsIn(root).filter((found) => found.version !== version);
  for (const [file, patterns] of Object.entries(PLACES)) {
    const before = readFileSync(join(root, file), 'utf8');
    const after = patterns.reduce(
      (text, pattern) => text.replaceAll(pattern, (match, old: string) => withLast(match, old, version)),
      before,
    );
    if (after !== before) writeFileSync(join(root, file), after);
  }
  return [...new Set(others.map(({ place }) => place))];
}

const withLast = (text: string, old: string, version: string) => {
  const at = text.lastIndexOf(old);
  return `${text.slice(0, at)}${version}${text.slice(at + old.length)}`;
};
