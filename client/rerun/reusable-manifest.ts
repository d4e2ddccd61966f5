import { type Fields, isFields, unlessEmpty } from '../../contracts/fields.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import { LAST_APPLIED } from '../../contracts/last-applied.ts';

/**
 * Returns what a user wrote of a manifest: without a status, what an API server adds to metadata, and annotations that
 * programs write. People submit the output of `kubectl get -o yaml`, and jobs come through a cluster.
 */
export function reusableManifest(manifest: unknown, { name }: { readonly name: string }): unknown {
  if (!isFields(manifest)) return manifest;
  const { status: _status, metadata, ...others } = manifest;
  const { namespace, labels, annotations } = isFields(metadata) ? metadata : ({} as Fields);
  const written = isFields(annotations) ? unlessEmpty(writtenByUsers(annotations)) : undefined;
  return {
    ...others,
    metadata: {
      name,
      ...(namespace === undefined || namespace === null ? {} : { namespace }),
      ...(labels === undefined || labels === null ? {} : { labels }),
      ...(written ? { annotations: written } : {}),
    },
  };
}

const writtenByUsers = (annotations: Fields): Fields =>
  Object.fromEntries(Object.entries(annotations).filter(([key]) => !WRITTEN_BY_PROGRAMS.has(key)));

const READ: ReadonlySet<string> = new Set([
  ...[ANNOTATIONS.policy, ANNOTATIONS.gang, ANNOTATIONS.waitForMaster],
  ...[ANNOTATIONS.inputs, ANNOTATIONS.outputs],
]);

const WRITTEN_BY_PROGRAMS: ReadonlySet<string> = new Set([
  LAST_APPLIED,
  ...Object.values(ANNOTATIONS).filter((key) => !READ.has(key)),
]);
