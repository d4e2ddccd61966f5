import { chmod, mkdir } from 'node:fs/promises';
import type { FindStored } from '../references.ts';
import type { StoredKind } from '../stored-objects.ts';
import { type FileContent, writeAtomically } from './atomic-files.ts';
import { type DownwardFacts, downwardFiles } from './downward-files.ts';
import type { Projection, Volume } from './fields.ts';
import { prepareHostPath } from './host-path.ts';
import { type KeyedSource, keyedFiles } from './keyed-files.ts';
import { MountError } from './mount-error.ts';

interface VolumeContext {
  /** The volume's folder, removed with its pod. */
  readonly dir: string;
  readonly find: FindStored;
  readonly facts: DownwardFacts;
}

/** The volume's path on this machine. */
export interface VolumeSource {
  readonly path: string;
  /** Containers cannot write to it, regardless of their mount. */
  readonly readOnly: boolean;
}

interface VolumeKind {
  /** May be called again to update the volume. */
  setUp(volume: Volume, context: VolumeContext): Promise<VolumeSource>;
}

const DEFAULT_MODE = 0o644;

const KINDS: Readonly<Record<string, VolumeKind>> = {
  emptyDir: {
    async setUp(_volume, { dir }) {
      const isNew = await mkdir(dir, { recursive: true });
      if (isNew) await chmod(dir, 0o777); // regardless of the umask; later changes are the containers'
      return { path: dir, readOnly: false };
    },
  },
  hostPath: {
    async setUp({ hostPath }, _context) {
      return { path: await prepareHostPath(hostPath?.path ?? '', hostPath?.type), readOnly: false };
    },
  },
  configMap: {
    setUp: ({ configMap }, context) => written(context, [{ configMap }], configMap?.defaultMode),
  },
  secret: {
    setUp({ secret }, context) {
      const named = secret && { ...secret, name: secret.secretName };
      return written(context, [{ secret: named }], secret?.defaultMode);
    },
  },
  downwardAPI: {
    setUp: ({ downwardAPI }, context) => written(context, [{ downwardAPI }], downwardAPI?.defaultMode),
  },
  projected: {
    setUp: ({ projected }, context) => written(context, projected?.sources ?? [], projected?.defaultMode),
  },
};

/** Sets up a volume on this machine, or throws a MountError that says what is missing. */
export async function setUpVolume(volume: Volume, context: VolumeContext): Promise<VolumeSource> {
  const { name: _, ...sources } = volume;
  const wanted = Object.keys(sources);
  const kind = wanted.map((name) => KINDS[name]).find((found) => found !== undefined);
  if (kind) return kind.setUp(volume, context);
  const known = Object.keys(KINDS).join(', ');
  throw new MountError(`the local node has no volumes of kind ${wanted.join(', ')}, only ${known}`);
}

async function written(
  context: VolumeContext,
  sources: readonly Projection[],
  defaultMode = DEFAULT_MODE,
): Promise<VolumeSource> {
  const files = new Map<string, FileContent>();
  for (const source of sources) {
    for (const [path, file] of await filesOfVolume(source, context, defaultMode)) files.set(path, file);
  }
  await writeAtomically(context.dir, files);
  return { path: context.dir, readOnly: true };
}

async function filesOfVolume(
  { configMap, secret, downwardAPI, ...others }: Projection,
  { find, facts }: VolumeContext,
  defaultMode: number,
): Promise<[string, FileContent][]> {
  const keyed = async (kind: StoredKind, source: Omit<KeyedSource, 'kind' | 'defaultMode'>) =>
    keyedFiles({ ...source, kind, defaultMode }, await find(kind, source.name));
  if (configMap) return keyed('configmap', configMap);
  if (secret) return keyed('secret', secret);
  if (downwardAPI) return downwardFiles(downwardAPI, facts, defaultMode);
  throw new MountError(`the local node projects no ${Object.keys(others).join(', ')}`);
}
