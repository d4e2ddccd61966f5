import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** Returns the path of an input that other systems' users had trouble with, e.g. `kueue-label/kueue.yaml`. */
export const casePath = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export const manifestOfCase = async (name: string): Promise<{ readonly metadata: object }> =>
  parse(await readFile(casePath(name), 'utf8'));
