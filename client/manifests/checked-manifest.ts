import { checkManifestSize } from '../../contracts/manifest-size.ts';
import type { Fault } from '../../contracts/types.ts';
import { InvalidManifestError } from '../errors/errors.ts';
import { withGeneratedName } from './generated-name.ts';
import { asObject, faultAt, type Manifest, namedManifest } from './named-manifest.ts';

interface ManifestChecks {
  readonly namespace: string;
  /** The submission's key, from which a generated name follows. */
  readonly key?: string;
  /** Added to metadata.labels. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly validate?: (manifest: Manifest) => readonly Fault[];
}

/** Returns the manifest to submit, with its name and namespace, and without null fields. Throws `InvalidManifestError` with all faults. */
export function checkedManifest(
  given: unknown,
  { namespace, key, labels, validate }: ManifestChecks,
): Manifest {
  const named = namedManifest(withGeneratedName(given, key), namespace);
  if ('faults' in named) throw new InvalidManifestError(named.faults);
  const manifest = withLabels(named.manifest, labels);
  const tooLarge = checkManifestSize(manifest);
  const faults = tooLarge.length > 0 ? tooLarge : (validate?.(manifest) ?? []);
  if (faults.length) throw new InvalidManifestError(faults);
  return manifest;
}

function withLabels(manifest: Manifest, labels: ManifestChecks['labels']): Manifest {
  const { metadata } = manifest;
  if (!labels || Object.keys(labels).length === 0) return manifest;
  const faults = Object.entries(labels)
    .filter(([, value]) => typeof value !== 'string')
    .map(([key, value]) => faultAt(`labels[${key}]`, 'text', value));
  if (faults.length) throw new InvalidManifestError(faults);
  return { ...manifest, metadata: { ...metadata, labels: { ...asObject(metadata.labels), ...labels } } };
}
