import { compareEntries, type LaneEntry } from '../../../../queue/lanes/lane-entry.ts';
import type { Check } from '../world.ts';
import { amount, byUid, isOpen, RESOURCES, waiting } from './arithmetic.ts';

/** Nobody passes an earlier job of its lane that could start as well as it, or says so. */
export const orderIsKept: Check = ({ state, decision, afterwards }) =>
  decision.grants.flatMap((grant) => {
    const one = byUid(state, grant.uid);
    const passed = waiting(afterwards).filter(
      (other) => other.lane === one.lane && compareEntries(other, one) < 0 && isOpen(other, afterwards),
    );
    return passed.flatMap((other) => {
      const isEqual =
        sameDemand(other, one) &&
        other.durationMs === one.durationMs &&
        other.user === one.user &&
        !grant.after;
      if (isEqual) return [`I3: ${one.uid} passes ${other.uid}, which is of the same form`];
      const isCapped = decision.standings.get(other.uid)?.code === 'CapReached';
      return grant.backfilled || grant.after || isCapped
        ? []
        : [`I3: ${one.uid} passes ${other.uid} silently`];
    });
  });

const sameDemand = (a: LaneEntry, b: LaneEntry) =>
  RESOURCES.every((resource) => amount(a.demand, resource) === amount(b.demand, resource));
