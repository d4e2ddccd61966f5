import type { WhyAnswer } from '../contracts/types.ts';

/**
 * Why a job waits. Plain JSON; amounts are quantities of Kubernetes.
 *
 * @public
 */
export type WaitAnswer = Pick<WhyAnswer, 'reasons' | 'placements' | 'fits' | 'notes' | 'unknown'>;

/**
 * Whether pods find room now, together if they are a gang.
 *
 * @public
 */
export type Fits = NonNullable<WaitAnswer['fits']>;
