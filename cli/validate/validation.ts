import type { ManifestOptions } from '../../client/manifests/offline/validate.ts';
import type { ClusterClient } from '../../cluster/client.ts';
import type { Fault } from '../../contracts/types.ts';
import { faultsOfNamespace } from '../input/asked-namespace.ts';
import { type Document, filesOf, readDocuments } from '../input/documents.ts';
import { titleOf } from '../input/manifests.ts';
import type { TerminalProgress } from '../print/progress.ts';
import { ManifestFileError } from '../shell/errors.ts';

/** The result for one document, or for a file that cannot be read. */
export interface Checked {
  /** The file and the position of the document. */
  readonly where: string;
  /** E.g. `PyTorchJob ml/resnet`. */
  readonly title?: string;
  readonly result: 'valid' | 'invalid' | 'other' | 'unreadable';
  /** Why the file cannot be read. */
  readonly problem?: string;
  readonly faults: readonly Fault[];
  readonly warnings: readonly string[];
  /** Objects of the job that already exist in the cluster. */
  readonly existing: readonly string[];
}

interface CheckContext {
  /** Of `--namespace`. */
  readonly namespace: string | undefined;
  readonly options: ManifestOptions;
  /** If given, the cluster's API server validates as well. */
  readonly cluster: ClusterClient | undefined;
  readonly progress: TerminalProgress;
}

/** Checks every document of every file, even if others have faults. */
export async function checkFiles(paths: readonly string[], context: CheckContext): Promise<Checked[]> {
  const found: (Document | Checked)[] = [];
  for (const path of paths) for await (const one of documentsAt(path)) found.push(one);
  const objects = found.flatMap((one) => ('value' in one ? [one.value] : []));
  const checked: Checked[] = [];
  for (const one of found) {
    context.progress.step(`checking ${one.where}`);
    checked.push('result' in one ? one : await check(one, { ...context, objects }));
  }
  return checked;
}

/** Continues with the other files if one cannot be read. */
async function* documentsAt(path: string): AsyncGenerator<Document | Checked> {
  const files = await unlessUnreadable(path, () => filesOf([path]));
  if ('result' in files) return yield files;
  for (const file of files) {
    const documents = await unlessUnreadable(file, () => readDocuments(file));
    if ('result' in documents) yield documents;
    else yield* documents;
  }
}

async function unlessUnreadable<T>(where: string, read: () => Promise<readonly T[]>) {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ManifestFileError)) throw error;
    return { ...NOTHING, where, result: 'unreadable', problem: error.message } as const;
  }
}

const NOTHING = { faults: [], warnings: [], existing: [] };

/** `objects`: of all documents. */
type Beside = CheckContext & { readonly objects: readonly unknown[] };

async function check({ where, value: written }: Document, context: Beside): Promise<Checked> {
  const [{ isJobManifest }, { withThoseBeside }] = await Promise.all([
    import('../../client/manifests/offline/validate.ts'),
    import('../../client/manifests/offline/beside.ts'),
  ]);
  if (!isJobManifest(written)) return { ...NOTHING, where, title: titleOf(written), result: 'other' };
  const value = withThoseBeside(written, context.objects);
  const { job, warnings, existing, ...checked } = await validate(value, context);
  const faults = [...faultsOfNamespace(value, context.namespace), ...checked.faults];
  const title = titleOf(job ? { kind: job.kind, metadata: job } : value);
  return { where, title, result: faults.length === 0 ? 'valid' : 'invalid', faults, warnings, existing };
}

async function validate(value: unknown, { options, cluster, progress }: CheckContext) {
  if (!cluster) {
    const { validateManifest } = await import('../../client/manifests/offline/validate.ts');
    return { ...validateManifest(value, options), existing: [] };
  }
  const { validateOnServer } = await import('../../client/manifests/offline/validate-on-server.ts');
  const onProgress = (done: number, of: number) => progress.detail(`${done} of ${of} objects`);
  return validateOnServer(value, cluster, { ...options, onProgress });
}
