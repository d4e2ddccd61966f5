import type { Command } from 'commander';
import type { ManifestOptions } from '../../client/offline/validate.ts';
import type { Fault } from '../../contracts/faults.ts';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import { ManifestFileError } from '../errors.ts';
import type { Settings } from '../settings/settings.ts';
import { type Document, filesOf, readDocuments } from './documents.ts';

/** What files hold: jobs, and what people keep beside them. */
export interface Manifests {
  readonly jobs: readonly Document[];
  readonly others: readonly Document[];
}

/** Throws `ManifestFileError` for a file that cannot be read, or if none holds a job. */
export async function readManifests(paths: readonly string[]): Promise<Manifests> {
  const { isJobManifest } = await import('../../client/offline/validate.ts');
  const documents: Document[] = [];
  for (const file of await filesOf(paths)) documents.push(...(await readDocuments(file)));
  const jobs = documents.filter(({ value }) => isJobManifest(value));
  const others = documents.filter(({ value }) => !isJobManifest(value));
  if (jobs.length > 0) return { jobs, others };
  const found = others.map(({ value }) => titleOf(value)).join(', ') || 'nothing';
  throw new ManifestFileError(`${paths.join(', ')}: expected a job, got ${found}.`);
}

export function manifestOptions(command: Command, { jobs, namespace }: Settings): ManifestOptions {
  return { strict: command.opts<{ strict?: boolean }>().strict, namespace, configuration: jobs };
}

/** What a document says that it is, e.g. `ConfigMap ml/settings`. */
export function titleOf(value: unknown): string {
  const { kind, metadata } = (value ?? {}) as Partial<KubeObject>;
  const name = [metadata?.namespace, metadata?.name].filter(Boolean).join('/');
  return [typeof kind === 'string' ? kind : 'a document without a kind', name].filter(Boolean).join(' ');
}

/** Faults as they are told of one manifest among several. */
export const located = (faults: readonly Fault[], { where }: Document, isOne: boolean): readonly Fault[] =>
  isOne ? faults : faults.map((fault) => ({ ...fault, path: `${where}: ${fault.path}` }));

/** A warning on its line, with its manifest where there are several. */
export const warningOf = (warning: string, { where }: Document, isOne: boolean): string =>
  `warning: ${isOne ? '' : `${where}: `}${warning}`;
