import {
  CONFIG_MAPS,
  type Container,
  type KubeObject,
  type PodSpec,
  PRIORITY_CLASSES,
  RESOURCE_CLAIM_TEMPLATES,
  RESOURCE_CLAIMS,
  type Resource,
  RUNTIME_CLASSES,
  SECRETS,
  SERVICE_ACCOUNTS,
  VOLUME_CLAIMS,
} from '../contracts/kubernetes.ts';
import { asFields, type Fields, isFields, valueAt } from '../language/fields.ts';
import type { OwnPod } from './shape.ts';

/** An object that a pod names. */
interface NamedObject {
  readonly resource: Resource;
  readonly name: string;
  /** Where the pod names it. */
  readonly at: string;
  /** Kubernetes starts the pod also without it. */
  readonly isOptional?: boolean;
  /** What it must have. */
  readonly keys?: readonly string[];
}

/** An object that pods of a job name. */
export interface NamedByPods extends Pick<NamedObject, 'resource' | 'name' | 'isOptional'> {
  /** What of the pods names it, e.g. `volume data of worker`. */
  readonly of: string;
  /** How many pods name it. */
  readonly pods: number;
  /** What it must have, of a ConfigMap or a Secret, and what of the pods needs it. */
  readonly keys: readonly NamedKey[];
}

interface NamedKey {
  readonly key: string;
  readonly of: string;
}

/** Returns each object once that pods name, as required if any of them needs it. Replicas of a role name the same. */
export function namedInPods(pods: readonly OwnPod[]): NamedByPods[] {
  const named = new Map<string, NamedByPods>();
  for (const [role, replicas] of Map.groupBy(pods, (pod) => pod.role)) {
    for (const { at, keys = [], ...object } of namedInPod(replicas[0]!.spec)) {
      const key = `${object.resource.kind}/${object.name}`;
      const known = named.get(key);
      const isBetter = !known || (known.isOptional && !object.isOptional);
      const needed = keys.map((key): NamedKey => ({ key, of: `${at} of ${role}` }));
      const count = known?.of.endsWith(` of ${role}`) ? 0 : replicas.length;
      named.set(key, {
        ...(isBetter ? { ...object, of: `${at} of ${role}` } : known),
        pods: (known?.pods ?? 0) + count,
        keys: onceEach([...(known?.keys ?? []), ...needed]),
      });
    }
  }
  return [...named.values()];
}

/** By the first that needs it. */
const onceEach = (keys: readonly NamedKey[]): readonly NamedKey[] =>
  keys.filter(({ key }, index) => keys.findIndex((one) => one.key === key) === index);

/** Returns the device classes that a ResourceClaim or a template of one needs; of alternatives none. */
export function deviceClassesOf(claim: KubeObject | undefined): string[] {
  const devices = valueAt(claim?.spec, 'devices') ?? valueAt(claim?.spec, 'spec.devices');
  const names = fieldsIn(asFields(devices).requests).flatMap((request) => {
    const name = valueAt(request, 'exactly.deviceClassName');
    return typeof name === 'string' ? [name] : [];
  });
  return [...new Set(names)];
}

function namedInPod(spec: PodSpec): NamedObject[] {
  const containers = [...(spec.initContainers ?? []), ...spec.containers];
  return [
    ...(spec.volumes ?? []).flatMap((volume) => ofVolume(asFields(volume))),
    ...containers.flatMap(ofContainer),
    ...fieldsIn(spec.imagePullSecrets).flatMap(({ name }) =>
      named(SECRETS, { name, optional: true }, 'imagePullSecrets'),
    ),
    ...named(SERVICE_ACCOUNTS, { name: spec.serviceAccountName }, 'serviceAccountName'),
    ...named(PRIORITY_CLASSES, { name: spec.priorityClassName }, 'priorityClassName'),
    ...named(RUNTIME_CLASSES, { name: spec.runtimeClassName }, 'runtimeClassName'),
    ...(spec.resourceClaims ?? []).flatMap(({ name, resourceClaimName, resourceClaimTemplateName }) => [
      ...named(RESOURCE_CLAIMS, { name: resourceClaimName }, `resourceClaims ${name}`),
      ...named(RESOURCE_CLAIM_TEMPLATES, { name: resourceClaimTemplateName }, `resourceClaims ${name}`),
    ]),
  ];
}

function ofVolume({ name, configMap, secret, persistentVolumeClaim, projected }: Fields): NamedObject[] {
  const at = `volume ${name}`;
  const { secretName, optional } = asFields(secret);
  return [
    ...named(CONFIG_MAPS, configMap, at, itemsOf(configMap)),
    ...named(SECRETS, { name: secretName, optional }, at, itemsOf(secret)),
    ...named(VOLUME_CLAIMS, { name: asFields(persistentVolumeClaim).claimName }, at),
    ...fieldsIn(asFields(projected).sources).flatMap((source) => [
      ...named(CONFIG_MAPS, source.configMap, at, itemsOf(source.configMap)),
      ...named(SECRETS, source.secret, at, itemsOf(source.secret)),
    ]),
  ];
}

function ofContainer({ name, env = [], envFrom = [] }: Container): NamedObject[] {
  const at = `container ${name}`;
  return [
    ...env.flatMap(({ valueFrom = {} }) => [
      ...named(CONFIG_MAPS, valueFrom.configMapKeyRef, at, [asFields(valueFrom.configMapKeyRef).key]),
      ...named(SECRETS, valueFrom.secretKeyRef, at, [asFields(valueFrom.secretKeyRef).key]),
    ]),
    ...envFrom.flatMap(({ configMapRef, secretRef }) => [
      ...named(CONFIG_MAPS, configMapRef, at),
      ...named(SECRETS, secretRef, at),
    ]),
  ];
}

/** A volume without items has all keys that there are. */
const itemsOf = (source: unknown): readonly unknown[] =>
  fieldsIn(asFields(source).items).map(({ key }) => key);

function named(
  resource: Resource,
  reference: unknown,
  at: string,
  keys: readonly unknown[] = [],
): NamedObject[] {
  const { name, optional } = asFields(reference);
  if (typeof name !== 'string' || name === '') return [];
  if (optional === true) return [{ resource, name, at, isOptional: true }];
  return [{ resource, name, at, keys: keys.filter((key) => typeof key === 'string') }];
}

const fieldsIn = (list: unknown): readonly Fields[] => (Array.isArray(list) ? list.filter(isFields) : []);
