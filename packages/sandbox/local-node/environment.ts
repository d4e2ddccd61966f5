import { type Allocatable, type PodAddresses, podField, resourceField } from './downward.ts';
import { expand } from './expansion.ts';
import type { EnvFrom, RunnableContainer, RunnablePod, ValueFrom } from './fields.ts';

type Values = Readonly<Record<string, string>>;

/** Returns the data of a ConfigMap or Secret in the pod's namespace; undefined if it does not exist. */
export type FindValues = (kind: 'configmap' | 'secret', name: string) => Promise<Values | undefined>;

/** A container refers to an object or key that does not exist (yet). The message is the kubelet's. */
export class MissingReferenceError extends Error {
  override readonly name = 'MissingReferenceError';
}

interface EnvironmentOf {
  readonly pod: RunnablePod;
  readonly container: RunnableContainer;
  readonly addresses: PodAddresses;
  readonly allocatable: Allocatable;
}

/**
 * Returns the variables of a manifest: `envFrom` in order, then `env` in order. Later ones replace earlier ones, and
 * may refer to them.
 */
export async function resolveEnvironment(
  of: EnvironmentOf,
  find: FindValues,
): Promise<Record<string, string>> {
  const variables: Record<string, string> = {};
  for (const source of of.container.envFrom ?? []) Object.assign(variables, await fromSource(source, find));
  for (const { name, value, valueFrom } of of.container.env ?? []) {
    const resolved =
      value || !valueFrom ? expand(value ?? '', variables) : await fromField(valueFrom, of, find);
    if (resolved !== undefined) variables[name] = resolved;
  }
  return variables;
}

async function fromSource(source: EnvFrom, find: FindValues): Promise<Record<string, string>> {
  const [kind, ref] = source.configMapRef
    ? (['configmap', source.configMapRef] as const)
    : (['secret', source.secretRef] as const);
  if (!ref) return {};
  const values = await find(kind, ref.name);
  if (!values && !ref.optional) throw new MissingReferenceError(`${kind} "${ref.name}" not found`);
  const usable = Object.entries(values ?? {}).filter(([key]) => key !== '' && !key.includes('='));
  return Object.fromEntries(usable.map(([key, value]) => [(source.prefix ?? '') + key, value]));
}

async function fromField(from: ValueFrom, of: EnvironmentOf, find: FindValues): Promise<string | undefined> {
  const { pod, container, addresses, allocatable } = of;
  if (from.configMapKeyRef) return fromKey('configmap', from.configMapKeyRef, of, find);
  if (from.secretKeyRef) return fromKey('secret', from.secretKeyRef, of, find);
  if (from.resourceFieldRef) {
    const all = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])];
    return resourceField(from.resourceFieldRef, { own: container, all }, allocatable);
  }
  return from.fieldRef && podField(from.fieldRef.fieldPath, pod, addresses);
}

const KIND_NAMES = { configmap: 'ConfigMap', secret: 'Secret' } as const;

async function fromKey(
  kind: 'configmap' | 'secret',
  { name, key, optional }: { readonly name: string; readonly key: string; readonly optional?: boolean },
  { pod }: EnvironmentOf,
  find: FindValues,
): Promise<string | undefined> {
  const values = await find(kind, name);
  if (values && Object.hasOwn(values, key)) return values[key];
  if (optional) return undefined;
  throw new MissingReferenceError(
    values
      ? `couldn't find key ${key} in ${KIND_NAMES[kind]} ${pod.metadata.namespace}/${name}`
      : `${kind} "${name}" not found`,
  );
}
