import { findRole } from './roles.ts';
import type { Policy } from './types.ts';

/** Spares: pods that hold places for pods of a job. */

/** What their names have in the place of a role. */
export const SPARE = 'spare';

/** A digest lists them all. */
export const MOST_SPARES = 100;

/** The place of a spare that a pod takes. */
export interface TakenPlace {
  readonly pod: string;
  /** The node that the pod has lost, if it is known. */
  readonly from?: string;
  readonly spare: string;
  readonly uid: string;
  /** The node of the spare. */
  readonly node: string;
}

/** Returns the role whose pods the spares are like: the one that the policy names, else the one with the most pods. */
export function spareRoleOf<R extends { readonly name: string; readonly replicas: number }>(
  roles: readonly R[],
  { role }: NonNullable<Policy['spares']>,
): R | undefined {
  const named = role === undefined ? undefined : findRole(roles, role);
  return named ?? roles.toSorted((a, b) => b.replicas - a.replicas)[0];
}

/** Says whose places pods took. */
export const describeTaken = (places: readonly TakenPlace[]): string =>
  places
    .map(
      ({ pod, from, spare, node }) =>
        `${pod}${from ? ` (of node ${from})` : ''} takes the place of ${spare} on node ${node}`,
    )
    .join(', ');
