import type { Fault } from '../contracts/faults.ts';
import { type Fields, isFields } from '../contracts/fields.ts';
import { checkManifestSize } from '../contracts/manifest-size.ts';
import { InvalidManifestError } from './errors.ts';

/**
 * The part of a manifest that the client reads; the rest is passed on unread.
 *
 * @public
 */
export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

export interface ManifestChecks {
  readonly namespace: string;
  /** Added to metadata.labels. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly validate?: (manifest: Manifest) => readonly Fault[];
}

/** Returns the manifest to submit, with its namespace. Throws `InvalidManifestError` with all faults. */
export function checkedManifest(given: unknown, { namespace, labels, validate }: ManifestChecks): Manifest {
  const named = withNamespace(given, namespace);
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
    .map(([key, value]) => fault(`labels[${key}]`, 'text', value));
  if (faults.length) throw new InvalidManifestError(faults);
  return { ...manifest, metadata: { ...metadata, labels: { ...asObject(metadata.labels), ...labels } } };
}

/** Returns the manifest with its namespace filled in, or the faults that leave the job without a usable name. */
function withNamespace(
  manifest: unknown,
  namespace: string,
): { manifest: Manifest } | { faults: readonly Fault[] } {
  const object = asObject(manifest);
  if (!object) return { faults: [fault('(manifest)', 'an object', manifest)] };
  const metadata = asObject(object.metadata);
  const faults = [
    ...(isText(object.kind) ? [] : [fault('kind', 'a kind, e.g. PyTorchJob', object.kind)]),
    ...(isText(metadata?.name) ? [] : [fault('metadata.name', 'a name', metadata?.name)]),
    ...(metadata?.namespace === undefined || isText(metadata.namespace)
      ? []
      : [fault('metadata.namespace', 'a name', metadata.namespace)]),
  ];
  if (faults.length) return { faults };
  return { manifest: { ...object, metadata: { namespace, ...metadata } } as unknown as Manifest };
}

const asObject = (value: unknown): Fields | undefined => (isFields(value) ? value : undefined);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function fault(path: string, expected: string, value: unknown): Fault {
  return { path, expected, got: value === undefined ? 'nothing' : JSON.stringify(value) };
}
