import type { Container, EnvVar, KubeObject, PodSpec } from '../../contracts/kubernetes.ts';
import type { Difference, ObjectPart } from '../golden-differences/difference.ts';

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
  if (rest.length) {
    const within = (part: unknown) => removeAt(part as Comparable, rest, name);
    return { ...others, [key!]: Array.isArray(inner) ? inner.map(within) : within(inner) };
  }
  const left = name && (inner as Container[]).filter((one) => one.name !== name);
  return left?.length ? { ...others, [key!]: left } : others;
}

/** The API server's defaults, variables as a map, and no labels and annotations of signalbox's own. */
function normalise(object: KubeObject): Comparable {
  const { namespace: _, ...given } = object.metadata;
  const metadata = { ...given, labels: foreign(given.labels), annotations: foreign(given.annotations) };
  if (object.kind === 'Service')
    return { ...object, metadata, spec: sortedPorts(object.spec as ServiceSpec) };
  if (object.kind === 'Secret') {
    // Cases do not show keys, and signalbox makes them when it creates the Secret.
    const { data, stringData = data, ...secret } = object;
    return { ...secret, metadata, keys: Object.keys(stringData ?? {}).sort() };
  }
  if (object.kind !== 'Pod') return { ...object, metadata };
  // The API server adds tolerations to every pod, so that cases have none at all.
  const { tolerations: __, ...spec } = object.spec as PodSpec;
  const { containers, initContainers } = spec;
  return {
    ...object,
    metadata,
    spec: {
      ...spec,
      containers: containers.map(normaliseContainer),
      ...(initContainers ? { initContainers: initContainers.map(normaliseContainer) } : {}),
    },
  };
}

type ServiceSpec = Readonly<{ ports?: readonly { readonly port: number }[] }>;

/** training-operator writes them in the order of a map. */
const sortedPorts = ({ ports, ...spec }: ServiceSpec) =>
  ports ? { ...spec, ports: [...ports].sort((a, b) => a.port - b.port) } : spec;

function foreign(marks: Readonly<Record<string, string>> = {}) {
  const others = Object.entries(marks).filter(([name]) => !name.startsWith('signalbox.dev/'));
  return others.length > 0 ? Object.fromEntries(others) : undefined;
}

function normaliseContainer({
  env = [],
  resources,
  imagePullPolicy: _,
  ...container
}: Container): Comparable {
  const variables = Object.fromEntries(env.map(({ name, ...value }) => [name, partOf(value)]));
  return {
    ...container,
    env: variables,
    ...(resources ? { resources: quantities(resources as Resources) } : {}),
  };
}

/** An empty value is the same as none. */
const partOf = ({ value, ...from }: Omit<EnvVar, 'name'>) => (value ? { value, ...from } : from);

type Resources = Readonly<Record<'limits' | 'requests', Readonly<Record<string, unknown>> | undefined>>;

/** Requests follow limits where they are not given; quantities are text. */
function quantities({ limits = {}, requests = {} }: Resources) {
  const asText = (list: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(list).map(([name, amount]) => [name, String(amount)]));
  return { limits: asText(limits), requests: { ...asText(limits), ...asText(requests) } };
}

/** As it comes back from the API server, which leaves out empty lists. */
const throughJson = (object: KubeObject): KubeObject =>
  JSON.parse(JSON.stringify(object, (_, value) => (isEmptyList(value) ? undefined : value)));

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;
