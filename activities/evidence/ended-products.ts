import { gpusOfSpec } from '../../contracts/gpus.ts';
import type { Pod } from '../../contracts/kubernetes.ts';
import { roleOf } from '../../contracts/pod.ts';
import { ownValue } from '../../language/fields.ts';
import type { EffectOutcome } from '../../machines/model/job-events.ts';

/** Which GPUs pods that end have had. The ledger has it, so that prices need no record of pods. */
export type EndedProducts = Pick<EffectOutcome, 'products'>;

/** Counts pods by role and product; without pods whose product is not known. */
export const productsOf = (pods: readonly Pod[], gpuProducts: ReadonlyMap<string, string>): EndedProducts =>
  counted(
    pods.flatMap((pod) => {
      const product = gpuProducts.get(pod.spec.nodeName ?? '');
      const hasGpus = Object.keys(gpusOfSpec(pod.spec)).length > 0;
      return product !== undefined && hasGpus ? [{ role: roleOf(pod), product, pods: 1 }] : [];
    }),
  );

/** Adds those of pods that were recorded apart. */
export const allProducts = (...recorded: readonly EndedProducts[]): EndedProducts =>
  counted(
    recorded
      .flatMap(({ products = {} }) => Object.entries(products))
      .flatMap(([role, some]) => Object.entries(some).map(([product, pods]) => ({ role, product, pods }))),
  );

function counted(
  found: readonly { readonly role: string; readonly product: string; readonly pods: number }[],
): EndedProducts {
  const products: Record<string, Record<string, number>> = {};
  for (const { role, product, pods } of found) {
    const ofRole = ownValue(products, role) ?? {};
    ofRole[product] = (ownValue(ofRole, product) ?? 0) + pods;
    products[role] = ofRole;
  }
  return found.length > 0 ? { products } : {};
}
