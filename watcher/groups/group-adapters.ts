import type { GangAdapter } from '../../gang/gang.ts';
import { GANG_ADAPTERS } from '../../gang/registry.ts';

/** An adapter of a scheduler with a group resource. */
export type GroupAdapter = GangAdapter & Required<Pick<GangAdapter, 'resource'>>;

export const GROUP_ADAPTERS = Object.values(GANG_ADAPTERS).filter(
  (adapter): adapter is GroupAdapter => adapter.resource !== undefined,
);
