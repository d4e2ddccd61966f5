import { globSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { validateManifest } from '../../client/manifests/offline/validate.ts';
import type { JobResource } from '../../contracts/job-resources.ts';
import { FRAMEWORKS } from '../../frameworks/kinds/registry.ts';

const FILES = ['examples/**/job*.yaml', 'test/golden/*/job.yaml', 'test/corpus/valid/*.yaml'];

/** Returns the valid manifests of this repository that may be custom resources, of each kind and version, also large ones. */
export const validResources = (namespace: string): readonly JobResource[] =>
  FILES.flatMap(resourcesIn)
    .map((manifest) => ({ ...manifest, metadata: { ...manifest.metadata, namespace } }))
    // As the bridge finds faults, to which unknown fields are none.
    .filter((manifest) => validateManifest(manifest, { strict: false }).faults.length === 0);

/** Returns the manifests in the files of a pattern that may be custom resources, valid or not. */
export const resourcesIn = (pattern: string): readonly JobResource[] =>
  globSync(pattern)
    .flatMap((file) => parseAllDocuments(readFileSync(file, 'utf8'), { version: '1.1' }))
    .map((document) => document.toJS() as unknown)
    .filter(isResource);

/** Whether a manifest is of a kind whose jobs may be custom resources. */
export function isResource(manifest: unknown): manifest is JobResource {
  const { apiVersion, kind, metadata } = (manifest ?? {}) as Partial<JobResource>;
  const isKind = FRAMEWORKS.some((one) => one.apiVersion === apiVersion && one.kind === kind);
  return isKind && typeof metadata === 'object' && metadata !== null;
}
