import { placeAt } from '../explain/queue-place.ts';
import type { LineView } from '../explain/situation.ts';
import { compareGangs, type Gang, isBeingPlaced, isHeld, nameOfGang } from './gang.ts';

/** Returns where a gang is in the order; undefined once its gates are lifted, or before it has pods. */
export function lineOf(gangs: readonly Gang[], uid: string): LineView | undefined {
  const waiting = gangs.filter(isHeld).toSorted(compareGangs);
  const index = waiting.findIndex((gang) => gang.uid === uid);
  if (index < 0) return undefined;
  const placing = gangs.find(isBeingPlaced);
  return {
    place: placeAt(index, waiting.map(nameOfGang), { queue: 'gatedGangs' }),
    ...(placing ? { placing: nameOfGang(placing) } : {}),
    ...(waiting[index]!.liftsOnQuota ? { liftsOnQuota: true } : {}),
  };
}
