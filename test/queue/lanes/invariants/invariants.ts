import type { Check } from '../world.ts';
import { backfillDelaysNobody } from './backfill.ts';
import { capacityIsKept, freedRoomIsUsed, grantsAreForOne, nothingIdles } from './grants.ts';
import { orderIsKept } from './order.ts';
import { decisionsAreRepeatable } from './repeatable.ts';
import { nobodyPingPongs, onlyTheNeededStop } from './stops.ts';
import { nobodyIsLost, reasonsAreStable } from './told.ts';

/** What holds on every day, each told by itself, with arithmetic of its own. */

/** By the names that docs/decisions/0085 gives them; those that look at one decision. */
export const INVARIANTS = {
  I1: capacityIsKept,
  I2: grantsAreForOne,
  I3: orderIsKept,
  I4: backfillDelaysNobody,
  I6: freedRoomIsUsed,
  I7: decisionsAreRepeatable,
  I8: nobodyIsLost,
  I9: nothingIdles,
  I10: reasonsAreStable,
} as const;

/** Of reclaim and preemption. */
export const STOPS = { needed: onlyTheNeededStop, pingPong: nobodyPingPongs } as const;

export const CHECKS: readonly Check[] = [...Object.values(INVARIANTS), ...Object.values(STOPS)];
