import type { Fault } from '../contracts/faults.ts';
import { type Fields, isFields } from '../contracts/fields.ts';
import { withoutLastApplied } from '../contracts/last-applied.ts';

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

/**
 * Returns the manifest as it is submitted, or the faults that leave the job without a usable name: with its namespace
 * filled in, and without the copy of itself that `kubectl apply` makes.
 */
export function namedManifest(
  manifest: unknown,
  namespace: string,
): { manifest: Manifest } | { faults: readonly Fault[] } {
  const object = asObject(withoutLastApplied(manifest));
  if (!object) return { faults: [faultAt('(manifest)', 'an object', manifest)] };
  const metadata = asObject(object.metadata);
  const faults = [
    ...(isText(object.kind) ? [] : [faultAt('kind', 'a kind, e.g. PyTorchJob', object.kind)]),
    ...(isText(metadata?.name) ? [] : [faultAt('metadata.name', 'a name', metadata?.name)]),
    ...(metadata?.namespace === undefined || isText(metadata.namespace)
      ? []
      : [faultAt('metadata.namespace', 'a name', metadata.namespace)]),
  ];
  if (faults.length) return { faults };
  return { manifest: { ...object, metadata: { namespace, ...metadata } } as unknown as Manifest };
}

export const asObject = (value: unknown): Fields | undefined => (isFields(value) ? value : undefined);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

export function faultAt(path: string, expected: string, value: unknown): Fault {
  return { path, expected, got: value === undefined ? 'nothing' : JSON.stringify(value) };
}
