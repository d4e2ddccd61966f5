import { withoutLastApplied } from '../../contracts/last-applied.ts';
import { checkNesting } from '../../contracts/nesting.ts';
import type { Fault } from '../../contracts/types.ts';
import { type Fields, isFields } from '../../language/fields.ts';
import { withoutNulls } from '../../language/without-nulls.ts';

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
 * Returns the manifest as it is submitted, or the faults for which no job can be started: with its namespace filled in,
 * without null fields, and without the copy of itself that `kubectl apply` makes.
 */
export function namedManifest(
  given: unknown,
  namespace: string,
): { manifest: Manifest } | { faults: readonly Fault[] } {
  const tooDeep = checkNesting(given);
  if (tooDeep.length) return { faults: tooDeep };
  const object = asObject(withoutNulls(withoutLastApplied(given)));
  if (!object) return { faults: [faultAt('(manifest)', 'an object', given)] };
  const metadata = asObject(object.metadata);
  const faults = [
    ...(isText(object.apiVersion)
      ? []
      : [faultAt('apiVersion', 'the API version of its kind', object.apiVersion)]),
    ...(isText(object.kind) ? [] : [faultAt('kind', 'a kind, e.g. PyTorchJob', object.kind)]),
    ...(isText(metadata?.name) ? [] : [faultAt('metadata.name', aName(metadata), metadata?.name)]),
    ...(metadata?.namespace === undefined || isText(metadata.namespace)
      ? []
      : [faultAt('metadata.namespace', 'a name', metadata.namespace)]),
  ];
  if (faults.length) return { faults };
  return { manifest: { ...object, metadata: { namespace, ...metadata } } as unknown as Manifest };
}

/** Clients fill in a generated name before; see generated-name.ts. */
const aName = (metadata: Fields | undefined) =>
  metadata?.generateName === undefined ? 'a name' : 'a name (a workflow makes none of generateName)';

export const asObject = (value: unknown): Fields | undefined => (isFields(value) ? value : undefined);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

export function faultAt(path: string, expected: string, value: unknown): Fault {
  return { path, expected, got: value === undefined ? 'nothing' : JSON.stringify(value) };
}
