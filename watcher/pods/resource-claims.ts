import type { Pod } from '../../contracts/kubernetes.ts';

/**
 * Returns the claims for devices that a pod without a node still lacks; the scheduler does not try such a pod, and says
 * nothing. Claims of a template are in the status once they have been made; whether another one exists is not known here.
 */
export function missingClaims({ spec, status }: Pod): string | undefined {
  const made = new Set((status?.resourceClaimStatuses ?? []).map(({ name }) => name));
  const needed = (spec.resourceClaims ?? []).flatMap(
    ({ name, resourceClaimName, resourceClaimTemplateName }) => {
      if (resourceClaimName) return [`the ResourceClaim ${resourceClaimName}`];
      return made.has(name)
        ? []
        : [`a ResourceClaim of the ResourceClaimTemplate ${resourceClaimTemplateName}`];
    },
  );
  if (needed.length === 0) return undefined;
  return `the scheduler has not tried it yet; it needs ${needed.join(' and ')}, which may not exist`;
}
