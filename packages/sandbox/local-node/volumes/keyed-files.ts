import type { Stored, StoredKind } from '../stored-objects.ts';
import type { FileContent } from './atomic-files.ts';
import type { KeyToPath } from './fields.ts';
import { MountError } from './mount-error.ts';

export interface KeyedSource {
  readonly kind: StoredKind;
  readonly name: string;
  readonly items?: readonly KeyToPath[];
  readonly optional?: boolean;
  readonly defaultMode: number;
}

/** The files of a ConfigMap or Secret: all keys, or those in `items`. */
export function keyedFiles(source: KeyedSource, stored: Stored | undefined): [string, FileContent][] {
  const { kind, name, items, optional = false, defaultMode } = source;
  if (!stored && !optional) throw new MountError(`${kind} "${name}" not found`);
  const contents = contentsOf(kind, stored);
  if (!items) return [...contents].map(([key, content]) => [key, { content, mode: defaultMode }]);
  return items.flatMap(({ key, path, mode = defaultMode }): [string, FileContent][] => {
    const content = contents.get(key);
    if (content) return [[path, { content, mode }]];
    if (optional) return [];
    throw new MountError(`${MISSING_KEY[kind]}: ${key}`);
  });
}

const MISSING_KEY: Readonly<Record<StoredKind, string>> = {
  configmap: 'configmap references non-existent config key',
  secret: 'references non-existent secret key',
};

function contentsOf(
  kind: StoredKind,
  { data = {}, binaryData = {} }: Partial<Stored> = {},
): Map<string, Buffer> {
  const encoding = kind === 'secret' ? 'base64' : 'utf8';
  return new Map([
    ...Object.entries(data).map(([key, value]) => [key, Buffer.from(value, encoding)] as const),
    ...Object.entries(binaryData).map(([key, value]) => [key, Buffer.from(value, 'base64')] as const),
  ]);
}
