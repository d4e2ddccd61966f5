import type { DeviceUse } from './job-uses.ts';
import type { Use } from './uses.ts';

/**
 * What the hours of devices went to, in fewer words than uses have: all of them together are what was held.
 *
 * @public
 */
export const PAID_FOR = {
  productive: 'progress that was not lost',
  start: 'pods waited for the others of their gang, and started',
  recovery: 'after a failure or another restart: pods went, were made again and started',
  repeated: 'progress that was lost at a restart and done again',
  idle: 'programs that stood still until they failed, pods that were kept or went, spares',
  unknown: 'programs ran; whether they made progress is not known',
} as const;

/**
 * What hours of devices went to.
 *
 * @public
 */
export type PaidFor = keyof typeof PAID_FOR;

/** A gang that comes together and starts because of a restart is part of the recovery. */
export const paidForOf = ({ use, cause }: Pick<DeviceUse, 'use' | 'cause'>): PaidFor =>
  cause !== undefined && OF_A_START.includes(use) ? 'recovery' : BY_USE[use];

const OF_A_START: readonly Use[] = ['gang', 'starting'];

const BY_USE: Readonly<Record<Use, PaidFor>> = {
  gang: 'start',
  starting: 'start',
  productive: 'productive',
  repeated: 'repeated',
  stalled: 'idle',
  unknown: 'unknown',
  held: 'idle',
  restarting: 'recovery',
  finishing: 'idle',
  spare: 'idle',
};
