import { type Fields, isFields } from '../../../contracts/fields.ts';

/** How many GPUs a pod of each role has, by role in lower case. Empty if the manifest asks for none. */
export function gpusByRole(manifest: unknown): ReadonlyMap<string, number> {
  const spec = isFields(manifest) ? manifest.spec : undefined;
  const roles = isFields(spec) ? rolesIn(spec, 2) : [];
  return new Map(
    roles.map(([name, role]) => [name.toLowerCase(), gpusOf(role)] as const).filter(([, gpus]) => gpus > 0),
  );
}

/** Kinds have their roles in spec, or in a field of it. */
function rolesIn(fields: Fields, depth: number): (readonly [string, Fields])[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (!isFields(value)) return [];
    if (isFields(value.template)) return [[name, value] as const];
    return depth > 1 ? rolesIn(value, depth - 1) : [];
  });
}

function gpusOf({ template }: Fields): number {
  const spec = isFields(template) ? template.spec : undefined;
  const containers = isFields(spec) && Array.isArray(spec.containers) ? spec.containers : [];
  return containers.filter(isFields).reduce((sum, { resources }) => sum + gpusIn(resources), 0);
}

/** Kubernetes demands limits of such resources; requests alone are not accepted. */
function gpusIn(resources: unknown): number {
  const limits = isFields(resources) && isFields(resources.limits) ? resources.limits : {};
  return Object.entries(limits)
    .filter(([resource]) => IS_GPU.test(resource))
    .reduce((sum, [, amount]) => sum + (Number(amount) || 0), 0);
}

/** E.g. nvidia.com/gpu, amd.com/gpu, gpu.intel.com/i915, nvidia.com/mig-1g.5gb. */
const IS_GPU = /\/gpu(?:$|\.)|^gpu\.|\/mig-/;
