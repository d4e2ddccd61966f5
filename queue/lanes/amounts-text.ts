import type { Amounts } from '../../contracts/pod-requests.ts';
import { type Quantity, shortQuantity } from '../../contracts/quantity.ts';
import { type Resources, UNLIMITED, type Vector } from './vector.ts';

const familyOf = (resource: string): Quantity['family'] =>
  /memory|storage|hugepages/.test(resource) ? 'binary' : 'decimal';

const quantityAt = (vector: Vector, r: number, resources: Resources): Quantity => ({
  nanos: vector[r]!,
  family: familyOf(resources[r]!),
});

/** Returns what is counted of a vector, without resources of which there is nothing. */
export const amountsOf = (vector: Vector, resources: Resources): Amounts =>
  new Map(
    resources.flatMap((resource, r) =>
      vector[r]! > 0n && vector[r]! < UNLIMITED
        ? [[resource, quantityAt(vector, r, resources)] as const]
        : [],
    ),
  );

/** E.g. `16 nvidia.com/gpu`. */
export const amountOf = (vector: Vector, r: number, resources: Resources): string =>
  `${numberAt(vector, r, resources)} ${resources[r]}`;

export function numberAt(vector: Vector, r: number, resources: Resources): string {
  const quantity = quantityAt(vector, r, resources);
  return quantity.nanos < 0n ? '0' : shortQuantity(quantity);
}
