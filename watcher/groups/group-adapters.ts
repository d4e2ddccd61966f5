import { gangTraits } from '../../contracts/training-job.ts';
import type { GangAdapter } from '../../gang/gang.ts';
import { GANG_ADAPTERS } from '../../gang/registry.ts';

/** An adapter of a scheduler with a group resource. */
export type GroupAdapter = GangAdapter & Required<Pick<GangAdapter, 'resource'>>;

/** Each resource once. */
export const GROUP_ADAPTERS = Object.values(GANG_ADAPTERS).filter(
  (adapter): adapter is GroupAdapter =>
    adapter.resource !== undefined && gangTraits(adapter.provider).groups === adapter.provider,
);
