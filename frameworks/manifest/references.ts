import type { KubeObject } from '../../contracts/kubernetes.ts';
import {
  findReference,
  isReferable,
  type NamedObject,
  REFERENCES,
  referencesOf,
  type UnreadReference,
  withReferences,
} from '../../contracts/references.ts';
import type { Fault } from '../../contracts/types.ts';
import { nearest } from '../../language/did-you-mean.ts';
import { asFields, type Fields } from '../../language/fields.ts';
import { didYouMean } from '../../language/meant.ts';
import { describeValue } from '../fields/faults.ts';
import { FRAMEWORKS, findFramework } from '../kinds/registry.ts';
import type { Framework } from '../model/framework.ts';

const referencesOfKind = (manifest: unknown) => {
  const { apiVersion, kind } = asFields(manifest);
  return findFramework(apiVersion, kind)?.references;
};

/** Returns the objects that a manifest of any kind names and does not bring along. */
export function unreadReferences(manifest: unknown): readonly UnreadReference[] {
  const kind = referencesOfKind(manifest);
  if (!kind) return [];
  return missingOf(kind, manifest).map((named) => {
    const shipped = kind.shipped(named);
    const resource = kind.resources.find((one) => one.kind === named.kind)!;
    return { ...named, resource, ...(shipped ? { shipped } : {}) };
  });
}

const missingOf = (kind: NonNullable<Framework['references']>, manifest: unknown) =>
  kind.named(manifest).filter((named) => !findReference(referencesOf(manifest), named));

/** Adds the objects that come with signalbox to a manifest that names them and has no others. */
export const withShipped = <Manifest>(manifest: Manifest): Manifest =>
  withReferences(
    manifest,
    unreadReferences(manifest).flatMap(({ shipped }) => shipped ?? []),
  );

/** Returns the objects that come with signalbox, for clusters in which other programs look for them. */
export const shippedObjects = (): readonly KubeObject[] =>
  FRAMEWORKS.flatMap(({ references }) =>
    (references?.resources ?? []).flatMap(({ kind }) =>
      references!.shippedNames({ kind }).flatMap((name) => references!.shipped({ kind, name }) ?? []),
    ),
  );

/** Whether an object is of a kind that manifests name. */
export const isReference = (object: unknown, manifest: unknown): object is KubeObject =>
  isReferable(object) &&
  unreadReferences(manifest).some((named) => findReference([object], named) !== undefined);

/** Returns a manifest as its Framework reads it; or that an object which it names is missing. */
export function joinReferences(
  { references }: Framework,
  manifest: Fields,
): { readonly manifest: Fields } | { readonly faults: readonly Fault[] } {
  if (!references) return { manifest };
  const own = references.fields.filter((field) => Object.hasOwn(asFields(manifest.spec), field));
  const missing = missingOf(references, manifest);
  const faults = [
    ...own.map((field) => ({
      path: `spec.${field}`,
      expected: `nothing: ${REFERENCES} has it`,
      got: 'a value',
    })),
    ...missing.map((named) => faultOfMissing(named, references.shippedNames(named))),
  ];
  if (faults.length > 0) return { faults };
  const objects = references
    .named(manifest)
    .flatMap((one) => findReference(referencesOf(manifest), one) ?? []);
  return { manifest: references.joined(manifest, objects) };
}

/** Says where such an object may be. */
function faultOfMissing({ kind, name, namespace, path }: NamedObject, shipped: readonly string[]): Fault {
  const where = namespace === undefined ? 'the cluster' : `the namespace ${namespace}`;
  const meant = didYouMean(nearest(name, shipped));
  const own = shipped.length > 0 ? `, or one that comes with signalbox: ${shipped.join(', ')}` : '';
  return {
    path,
    expected: `a ${kind} of ${where}, or of a file beside the job (-f)${own}${meant && ` (${meant})`}`,
    got: describeValue(name),
  };
}
