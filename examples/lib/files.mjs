// What a pod finds in the folders that its kind mounts.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The files of a mounted folder by name; what begins with `..` is Kubernetes' own. */
export function readFiles(folder) {
  const names = readdirSync(folder).filter((name) => !name.startsWith('..'));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** Their permissions, in octal. */
export function readModes(folder) {
  const modeOf = (name) => (statSync(join(folder, name)).mode & 0o777).toString(8);
  return Object.fromEntries(Object.keys(readFiles(folder)).map((name) => [name, modeOf(name)]));
}
