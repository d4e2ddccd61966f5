import type { GangAdapter } from './gang.ts';

/** No gang scheduling: each pod is placed by itself. */
export const none: GangAdapter = {
  provider: 'none',
  renderGroup: () => undefined,
  membership: () => ({}),
};
