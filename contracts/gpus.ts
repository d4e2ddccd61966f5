import { nearestQualified } from '../language/did-you-mean.ts';
import { type Fields, isFields } from '../language/fields.ts';
import type { Container } from './kubernetes.ts';
import { podRequests } from './pod-requests.ts';
import { parseQuantity } from './quantity.ts';

/** The GPUs of one role: `each` of its pods requests so many. */
interface RoleGpus {
  /** In lower case. */
  readonly role: string;
  readonly replicas: number;
  readonly each: number;
}

/**
 * Returns the GPUs that a manifest requests, by role; without roles that request none. A pod requests as many as
 * Kubernetes counts: the sum of its containers and sidecars, or what an init container needs if that is more. The manifest
 * need not be valid: what cannot be read counts as none.
 */
export const gpusByRole = (manifest: unknown): readonly RoleGpus[] =>
  rolesOf(manifest)
    .map(([name, role]) => ({
      role: name.toLowerCase(),
      replicas: replicasOf(role),
      each: gpuCountOf(specIn(role.template)),
    }))
    .filter(({ each }) => each > 0);

/** Returns what each pod of a role requests of extended resources, by role in lower case; without roles that request none. */
export const devicesByRole = (manifest: unknown): Readonly<Record<string, DeviceAmounts>> =>
  Object.fromEntries(
    rolesOf(manifest)
      .map(([name, { template }]) => [name.toLowerCase(), devicesOfSpec(specIn(template))] as const)
      .filter(([, devices]) => Object.keys(devices).length > 0),
  );

/** Returns the GPUs that all replicas of a manifest request together; null if it requests none. */
export function gpusOf(manifest: unknown): number | null {
  const sum = gpusByRole(manifest).reduce((total, { replicas, each }) => total + replicas * each, 0);
  return sum > 0 ? sum : null;
}

/** Returns the GPUs that a pod requests, by resource, e.g. `nvidia.com/gpu`. */
export const gpusOfSpec = (spec: AnySpec): DeviceAmounts => amountsOf(spec, isGpu);

/** How many that are together. */
export const gpuCountOf = (spec: AnySpec): number =>
  Object.values(gpusOfSpec(spec)).reduce((sum, amount) => sum + amount, 0);

/** The same of all extended resources: those that a plugin of the node adds, which have a domain of their own. */
export const devicesOfSpec = (spec: AnySpec): DeviceAmounts => amountsOf(spec, isExtended);

interface AnySpec {
  readonly containers?: unknown;
  readonly initContainers?: unknown;
}

/** Whole amounts by resource. */
export type DeviceAmounts = Readonly<Record<string, number>>;

function amountsOf(spec: AnySpec, isCounted: (resource: string) => boolean): DeviceAmounts {
  const [containers, initContainers] = [spec.containers, spec.initContainers].map((some) =>
    withOnly(some, isCounted),
  );
  const requests = podRequests({ containers: containers!, initContainers });
  return Object.fromEntries([...requests].map(([resource, { nanos }]) => [resource, Number(nanos / NANOS)]));
}

const isExtended = (resource: string): boolean =>
  resource.includes('/') && !/^([^/]+\.)?kubernetes\.io\//.test(resource);

/**
 * Whether a resource is counted in GPUs, slices of them, or other accelerators. Names are those of the vendors' device
 * plugins. Other resources have similar names, e.g. `nvidia.com/gpumem`, `gpu.intel.com/i915_monitoring` and
 * `huawei.com/Ascend910B-memory`.
 */
export const isGpu = (resource: string): boolean => ACCELERATORS.some((pattern) => pattern.test(resource));

const ACCELERATORS: readonly RegExp[] = [
  /^[^/]+\/gpu(\.shared)?$/, // nvidia.com, amd.com, metax-tech.com, mthreads.com, iluvatar.ai and others
  /^nvidia\.com\/mig-/,
  /^gpu\.intel\.com\/(i915|xe)$/,
  /^google\.com\/tpu$/,
  /^cloud-tpus\.google\.com\/(preemptible-)?v\d+$/,
  /^aws\.amazon\.com\/neuron(core|device)?$/,
  /^habana\.ai\/gaudi$/,
  /^huawei\.com\/(npu|Ascend\d+[A-Za-z]*(-\d+c(\.\d+cpu)?)?)$/, // also slices: Ascend910-2c, Ascend310P-2c.1cpu
  /^cambricon\.com\/v?mlu\d*$/,
  /^(kunlunxin|baidu)\.com\/xpu$/,
  /^hygon\.com\/dcu(num)?$/,
  /^enflame\.com\/gcu$/,
  /^qualcomm\.com\/qaic$/,
];

const rolesOf = (manifest: unknown) => rolesIn(isFields(manifest) ? manifest.spec : undefined, DEEPEST);
/** What vendors' device plugins offer most often. */
const FREQUENT: readonly string[] = [
  ...['nvidia.com/gpu', 'amd.com/gpu', 'gpu.intel.com/i915', 'gpu.intel.com/xe', 'google.com/tpu'],
  ...['aws.amazon.com/neuron', 'aws.amazon.com/neuroncore', 'habana.ai/gaudi', 'huawei.com/npu'],
];

/** Returns the accelerator that was probably meant by a resource that is none; undefined for one that is, and for other names. */
export const nearestGpu = (resource: string): string | undefined =>
  isGpu(resource) || !resource.includes('/') ? undefined : nearestQualified(resource, FREQUENT);

/** Every kind has its roles in `spec.worker` or in `spec.pytorchReplicaSpecs.Worker`. */
const DEEPEST = 2;

function rolesIn(fields: unknown, depth: number): readonly (readonly [string, Fields])[] {
  if (!isFields(fields) || depth === 0) return [];
  return Object.entries(fields).flatMap(([name, value]) =>
    isFields(value) && isFields(value.template) ? [[name, value] as const] : rolesIn(value, depth - 1),
  );
}

function replicasOf({ replicas }: Fields): number {
  const number = Number(replicas ?? 1);
  return Number.isInteger(number) && number > 0 ? number : 0;
}

const specIn = (template: unknown): AnySpec =>
  isFields(template) && isFields(template.spec) ? template.spec : {};

const NANOS = 1_000_000_000n;

/** Returns containers with nothing but what they request of the counted resources. */
function withOnly(containers: unknown, isCounted: (resource: string) => boolean): Container[] {
  const counted = (amounts: unknown): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(isFields(amounts) ? amounts : {})
        .filter(([resource, amount]) => isCounted(resource) && isWhole(amount))
        .map(([resource, amount]) => [resource, String(amount)]),
    );
  return (Array.isArray(containers) ? containers : [])
    .filter(isFields)
    .map(({ restartPolicy, resources }) => ({
      name: '',
      restartPolicy,
      resources: isFields(resources)
        ? { requests: counted(resources.requests), limits: counted(resources.limits) }
        : {},
    }));
}

/** Kubernetes gives no parts of such resources. */
function isWhole(amount: unknown): boolean {
  const { nanos = -1n } = parseQuantity(String(amount)) ?? {};
  return nanos >= 0n && nanos % NANOS === 0n;
}
