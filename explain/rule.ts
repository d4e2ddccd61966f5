import { amountText, type Quantity } from '../contracts/quantity.ts';
import { REASONS, type WaitCode } from '../contracts/reasons.ts';
import type { WaitReason } from '../contracts/types.ts';
import { ownValue, withoutUndefined } from '../language/fields.ts';
import type { Placement } from './placement.ts';
import type { Demand, PodShape, Situation } from './situation.ts';

/** Finds reasons of a kind. */
export type Rule = (situation: Situation, placement: Placement | undefined) => readonly WaitReason[];

type Given = Omit<WaitReason, 'code' | 'who' | 'sentence'> & Partial<Pick<WaitReason, 'who'>>;

/** Makes a reason; who can change it is by default what the code says. */
export function waitReason(code: WaitCode, sentence: string, given: Given = {}): WaitReason {
  return withoutUndefined({ code, sentence, who: REASONS[code].who, ...withoutUndefined(given) });
}

export const podsText = (pods: number): string => (pods === 1 ? '1 pod' : `${pods} pods`);

/** Of objects, one is in the singular. */
export function amountOfText(amount: Quantity, resource: string): string {
  const count = amountText(amount);
  return `${count} ${count === '1' && COUNTED.test(resource) ? resource.replace(/s$/, '') : resource}`;
}

const COUNTED = /^(count\/)?(pods|services|configmaps|secrets|persistentvolumeclaims)$/;

/** Of a gang whose minimum finds room. */
export const minimumText = (minimum: number | undefined): string =>
  minimum === undefined ? '' : `the ${podsText(minimum)} that must find room at once do; `;

/** Says where an amount comes from that is not in the manifest. */
export const originText = ({ origins = {} }: Pick<Demand, 'origins'>, resource: string): string => {
  const origin = ownValue(origins, resource);
  return origin === undefined ? '' : ` (from ${origin}, not from the manifest)`;
};

/** Names the pods of a shape. */
export const ofShape = ({ roles }: Pick<PodShape, 'roles'>): string => roles.join(' and ');

/** Pods of a shape that do not have a node yet. */
export const unplacedOf = ({ pods, placed }: PodShape): number => pods - placed;

export const nodesText = (nodes: number): string => (nodes === 1 ? '1 node' : `${nodes} nodes`);
