import type { Container, KubeObject, PodSpec } from '../../contracts/kubernetes.ts';
import type { Difference, ObjectPart } from '../../frameworks/compatibility.ts';

/** An object as it is compared: plain JSON, in which order does not matter where it means nothing. */
export type Comparable = Record<string, unknown>;

/** Objects by kind and name, less what the differences leave out. */
export function comparable(
  objects: readonly KubeObject[],
  differences: readonly Difference[],
): Record<string, Comparable> {
  const parts = differences.flatMap(({ leavesOut = [] }) => leavesOut);
  const kept = objects.filter(({ kind }) => !parts.some((part) => !part.path && part.kind === kind));
  return Object.fromEntries(
    kept.map((object) => [keyOf(object), normalise(parts.reduce(without, throughJson(object)))]),
  );
}

export const keyOf = ({ kind, metadata }: KubeObject) => `${kind}/${metadata.name}`;

/** Whether there is anything in the objects that a part names. */
export const has = (objects: readonly KubeObject[], part: ObjectPart): boolean =>
  objects.some(
    (object) => matches(part, object) && JSON.stringify(without(object, part)) !== JSON.stringify(object),
  ) ||
  (!part.path && objects.some((object) => matches(part, object)));

const matches = (part: ObjectPart, { kind }: KubeObject) => part.kind === '*' || part.kind === kind;

function without(object: KubeObject, part: ObjectPart): KubeObject {
  return part.path && matches(part, object)
    ? (removeAt(object, part.path, part.name) as unknown as KubeObject)
    : object;
}

function removeAt(value: Comparable, [key, ...rest]: readonly string[], name?: string): Comparable {
  const { [key!]: inner, ...others } = value;
  if (inner === undefined) return value;
  if (rest.length) return { ...others, [key!]: removeAt(inner as Comparable, rest, name) };
  const left = name && (inner as Container[]).filter((one) => one.name !== name);
  return left?.length ? { ...others, [key!]: left } : others;
}

/** The API server's defaults, and variables as a map. */
function normalise(object: KubeObject): Comparable {
  const { namespace: _, ...metadata } = object.metadata;
  if (object.kind !== 'Pod') return { ...object, metadata };
  const spec = object.spec as PodSpec;
  return { ...object, metadata, spec: { ...spec, containers: spec.containers.map(normaliseContainer) } };
}

function normaliseContainer({ env = [], resources, ...container }: Container): Comparable {
  const variables = Object.fromEntries(env.map(({ name, ...value }) => [name, value]));
  return {
    ...container,
    env: variables,
    ...(resources ? { resources: quantities(resources as Resources) } : {}),
  };
}

type Resources = Readonly<Record<'limits' | 'requests', Readonly<Record<string, unknown>> | undefined>>;

/** Requests follow limits where they are not given; quantities are text. */
function quantities({ limits = {}, requests = {} }: Resources) {
  const asText = (list: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(list).map(([name, amount]) => [name, String(amount)]));
  return { limits: asText(limits), requests: { ...asText(limits), ...asText(requests) } };
}

const throughJson = (object: KubeObject): KubeObject => JSON.parse(JSON.stringify(object));
