import { type GangAdapter, NO_TIERS } from './gang.ts';

const WHY = 'the job is placed without gang scheduling';

/** No gang scheduling: each pod is placed by itself. */
export const none: GangAdapter = {
  provider: 'none',
  ignores: {
    queue: WHY,
    priorityClass: WHY,
    minResources: WHY,
    scheduleTimeoutSeconds: WHY,
    networkTopology: NO_TIERS,
  },
  renderGroup: () => undefined,
  membership: () => ({}),
  readGroup: () => ({ scheduled: 'Unknown' }),
};
