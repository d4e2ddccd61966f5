import type { Command } from 'commander';
import { InvalidManifestError } from '../../client/errors/errors.ts';
import type { ManifestOptions } from '../../client/manifests/offline/validate.ts';
import { hasReference } from '../../contracts/references.ts';
import type { Fault } from '../../contracts/types.ts';
import { asFields } from '../../language/fields.ts';
import type { Settings } from '../settings/settings.ts';
import { ManifestFileError } from '../shell/errors.ts';
import { askedNamespace, faultsOfNamespace } from './asked-namespace.ts';
import { type Document, filesOf, readDocuments } from './documents.ts';

/** The jobs in files, and the other objects kept beside them. */
interface Manifests {
  readonly jobs: readonly Document[];
  readonly others: readonly Document[];
}

/**
 * Throws `ManifestFileError` if a file cannot be read, or if no file contains a job, and `InvalidManifestError` if one is of
 * another namespace than `--namespace`.
 */
export async function readManifests(paths: readonly string[], command: Command): Promise<Manifests> {
  const [{ isJobManifest }, { withThoseBeside }] = await Promise.all([
    import('../../client/manifests/offline/validate.ts'),
    import('../../client/manifests/offline/beside.ts'),
  ]);
  const documents: Document[] = [];
  for (const file of await filesOf(paths)) documents.push(...(await readDocuments(file)));
  refuseOtherNamespaces(documents, command);
  const beside = documents.filter(({ value }) => !isJobManifest(value));
  const objects = beside.map(({ value }) => value);
  const jobs = documents
    .filter(({ value }) => isJobManifest(value))
    .map((job) => ({ ...job, value: withThoseBeside(job.value, objects) }));
  const others = beside.filter(({ value }) => !jobs.some((job) => hasReference(job.value, value)));
  if (jobs.length > 0) return { jobs, others };
  const found = others.map(({ value }) => titleOf(value)).join(', ') || 'nothing';
  const remedy = `signalbox starts jobs; \`kubectl apply -f ${paths.join(' -f ')}\` creates other objects.`;
  throw new ManifestFileError(
    `${paths.join(', ')}: expected a job, got ${found}.`,
    others.length > 0 ? { remedy } : {},
  );
}

function refuseOtherNamespaces(documents: readonly Document[], command: Command): void {
  const asked = askedNamespace(command);
  const isOne = documents.length === 1;
  const faults = documents.flatMap((document) =>
    located(faultsOfNamespace(document.value, asked), document, isOne),
  );
  refuseFaulty(faults, documents);
}

export function manifestOptions(command: Command, { jobs, namespace }: Settings): ManifestOptions {
  return { strict: command.opts<{ strict: boolean }>().strict, namespace, configuration: jobs };
}

/** Returns the kind and name of a document, e.g. `ConfigMap ml/settings`. */
export function titleOf(value: unknown): string {
  const { kind, metadata } = asFields(value);
  const { namespace, name: own } = asFields(metadata);
  const name = [namespace, own].filter(Boolean).join('/');
  return [typeof kind === 'string' ? kind : 'a document without a kind', name].filter(Boolean).join(' ');
}

/** Throws `InvalidManifestError` if there are faults. */
export function refuseFaulty(faults: readonly Fault[], { length }: readonly Document[]): void {
  if (faults.length === 0) return;
  throw new InvalidManifestError(faults, [], { of: length === 1 ? 'submission' : 'submissions' });
}

/** Adds the document to the faults if there are several manifests. */
export const located = (faults: readonly Fault[], { where }: Document, isOne: boolean): readonly Fault[] =>
  isOne ? faults : faults.map((fault) => ({ ...fault, path: `${where}: ${fault.path}` }));

/** Formats a warning; names the document if there are several manifests. */
export const warningOf = (warning: string, { where }: Document, isOne: boolean): string =>
  `warning: ${isOne ? '' : `${where}: `}${warning}`;
