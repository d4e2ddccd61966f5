/**
 * Returns the GPUs that all replicas of a manifest request together; null if it requests none. Every kind has its roles
 * under `spec`, as objects with a pod template; what requests a GPU is a resource with `gpu` in its name, or a slice of
 * one (`nvidia.com/mig-1g.5gb`).
 */
export function gpusOf(manifest: unknown): number | null {
  const roles = templatesIn(fieldOf(manifest, 'spec'), DEEPEST);
  const sum = roles.map(gpusOfRole).reduce((total, gpus) => total + gpus, 0);
  return sum > 0 ? sum : null;
}

/** `spec.worker`, or `spec.pytorchReplicaSpecs.Worker`. */
const DEEPEST = 2;

function templatesIn(value: unknown, depth: number): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (fieldOf(value, 'template') !== undefined) return [value];
  return depth === 0 ? [] : Object.values(value).flatMap((inner) => templatesIn(inner, depth - 1));
}

function gpusOfRole(role: unknown): number {
  const replicas = Number(fieldOf(role, 'replicas') ?? 1);
  const containers = fieldOf(fieldOf(fieldOf(role, 'template'), 'spec'), 'containers');
  if (!Array.isArray(containers) || !Number.isInteger(replicas)) return 0;
  return containers.reduce((sum: number, container) => sum + gpusOfContainer(container), 0) * replicas;
}

/** A GPU’s request equals its limit, and one of the two may be left out. */
function gpusOfContainer(container: unknown): number {
  const resources = fieldOf(container, 'resources');
  const named = { ...objectOf(fieldOf(resources, 'requests')), ...objectOf(fieldOf(resources, 'limits')) };
  return Object.entries(named)
    .filter(([name]) => /gpu|\/mig-/.test(name))
    .map(([, amount]) => Number(amount))
    .reduce((sum, amount) => (Number.isInteger(amount) && amount > 0 ? sum + amount : sum), 0);
}

const fieldOf = (value: unknown, name: string): unknown => objectOf(value)[name];

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
