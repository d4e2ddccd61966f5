import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** A manifest as somebody may write it, with the paths of the faults that its first line names. */
export interface CorpusManifest {
  readonly name: string;
  readonly manifest: unknown;
  readonly paths: readonly string[];
}

export const corpusFolder = (which: 'valid' | 'invalid') => join(import.meta.dirname, which);

export function readCorpus(which: 'valid' | 'invalid'): CorpusManifest[] {
  return readdirSync(corpusFolder(which)).map((name) => {
    const text = readFileSync(join(corpusFolder(which), name), 'utf8');
    const [, paths = ''] = /^# path: (.*)\n/.exec(text) ?? [];
    return { name, manifest: parse(text, { version: '1.1' }), paths: paths.split(', ') };
  });
}
