import { asFields, isFields } from '../language/fields.ts';
import type { KubeObject, Resource } from './kubernetes.ts';

/**
 * Objects of the cluster that a manifest names and is incomplete without. Who submits a job adds them to its manifest as they are
 * then, so that they are part of its record, and a later edit of one does not reach the job.
 */

/** The field of a manifest, beside spec, that has them. */
export const REFERENCES = 'references';

/** What a manifest says of such an object. */
export interface NamedObject extends Pick<KubeObject, 'apiVersion' | 'kind'> {
  readonly name: string;
  /** Absent for an object of the whole cluster. */
  readonly namespace?: string;
  /** Where the manifest names it. */
  readonly path: string;
}

/** One that a manifest does not bring along. */
export interface UnreadReference extends NamedObject {
  /** Where an API server has it. */
  readonly resource: Resource;
  /** The one of that name that comes with signalbox, for clusters that do not have it. */
  readonly shipped?: KubeObject;
}

/** Returns the objects that a manifest brings along. */
export function referencesOf(manifest: unknown): readonly KubeObject[] {
  const { [REFERENCES]: given } = asFields(manifest);
  return Array.isArray(given) ? given.filter(isReferable) : [];
}

/** Adds objects to a manifest that it does not have yet. */
export function withReferences<Manifest>(manifest: Manifest, objects: readonly KubeObject[] = []): Manifest {
  if (!isFields(manifest)) return manifest;
  const present = referencesOf(manifest);
  const added = objects.filter((object) => !present.some((one) => isSame(one, object)));
  return added.length === 0 ? manifest : { ...manifest, [REFERENCES]: [...present, ...added] };
}

/** Returns the object that a manifest names, if it is among these. */
export const findReference = (objects: readonly KubeObject[], named: NamedObject): KubeObject | undefined =>
  objects.find(
    ({ apiVersion, kind, metadata: { name, namespace } }) =>
      apiVersion === named.apiVersion &&
      kind === named.kind &&
      name === named.name &&
      (namespace === undefined || named.namespace === undefined || namespace === named.namespace),
  );

/** What of such an object a job depends on: not what the API server and other programs add. */
export function asReference({ apiVersion, kind, metadata, ...others }: KubeObject): KubeObject {
  const { name, namespace, uid, generation, labels } = metadata;
  const { status: _, ...content } = others;
  return {
    ...{ apiVersion, kind },
    metadata: JSON.parse(JSON.stringify({ name, namespace, uid, generation, labels })) as typeof metadata,
    ...content,
  };
}

/** Names an object for people, with the generation of its spec as far as it is known. */
export const titleOfReference = ({ kind, metadata: { name, generation } }: KubeObject): string =>
  `${kind} ${name}${generation === undefined ? '' : `, generation ${generation}`}`;

/** Whether a manifest brings this object along. */
export const hasReference = (manifest: unknown, object: unknown): boolean =>
  referencesOf(manifest).some((one) => one === object);

/** Whether a value of a file or manifest has what names an object. */
export const isReferable = (value: unknown): value is KubeObject => {
  const { apiVersion, kind, metadata } = asFields(value);
  return typeof apiVersion === 'string' && typeof kind === 'string' && isFields(metadata);
};

const isSame = (a: KubeObject, b: KubeObject): boolean =>
  findReference([a], { ...b, ...b.metadata, path: '' }) !== undefined;
