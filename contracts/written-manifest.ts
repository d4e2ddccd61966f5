import { type Fields, isFields, unlessEmpty } from '../language/fields.ts';
import { ANNOTATIONS } from './labels.ts';
import { LAST_APPLIED } from './last-applied.ts';

/**
 * Returns what a user wrote of a manifest: without a status, what an API server adds to metadata, and annotations that
 * programs write. People submit the output of `kubectl get -o yaml`, and jobs come through a cluster. The hash of a
 * submission, a rerun and `apply` read a manifest so; docs/wire-contract.md.
 */
export function writtenManifest(manifest: unknown): unknown {
  if (!isFields(manifest)) return manifest;
  const { status: _status, ...written } = manifest;
  return isFields(written.metadata) ? { ...written, metadata: writtenMetadata(written.metadata) } : written;
}

function writtenMetadata({ annotations, ...others }: Fields): Fields {
  const kept = Object.entries(others).filter(([key, value]) => IN_METADATA.has(key) && value !== null);
  const written = isFields(annotations) ? unlessEmpty(writtenByUsers(annotations)) : undefined;
  return { ...Object.fromEntries(kept), ...(written ? { annotations: written } : {}) };
}

const IN_METADATA: ReadonlySet<string> = new Set(['name', 'namespace', 'labels']);

const writtenByUsers = (annotations: Fields): Fields =>
  Object.fromEntries(Object.entries(annotations).filter(([key]) => !WRITTEN_BY_PROGRAMS.has(key)));

/** Annotations of a manifest that decide something about its job. */
export const READ_ANNOTATIONS: ReadonlySet<string> = new Set([
  ...[ANNOTATIONS.policy, ANNOTATIONS.gang, ANNOTATIONS.waitForMaster],
  ...[ANNOTATIONS.inputs, ANNOTATIONS.outputs],
]);

const WRITTEN_BY_PROGRAMS: ReadonlySet<string> = new Set([
  LAST_APPLIED,
  ...Object.values(ANNOTATIONS).filter((key) => !READ_ANNOTATIONS.has(key)),
]);
