import { createGroupEffect } from '../attempt/effects.ts';
import { canNeverFit, unreadGroups } from '../gang/group-view.ts';
import { evictionOf } from '../stopping/eviction.ts';
import type { Gate } from './gate.ts';

/** The group of a gang scheduler that plans with it before there are pods. */
export const groupGate: Gate = {
  isHeld: () => false,
  request: createGroupEffect,
  isOpen: (context) => context.digest?.gang?.admitted === true && !evictionOf(context),
  causes: (context) => {
    const said = context.digest?.gang?.message ?? unreadGroups(context);
    const why = said ?? 'the gang scheduler has not reported on the group yet';
    const reason = canNeverFit(context) ? 'NeverFits' : 'WaitingForGang';
    return [{ reason, message: `no pods yet: ${why}` }];
  },
  explainOpen: ({ digest }) => digest?.gang?.message ?? 'the scheduler has admitted the group',
};
