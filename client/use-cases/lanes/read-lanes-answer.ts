import { Reading } from '../../../cluster/reading.ts';
import { type Amounts, formatAmounts } from '../../../contracts/pod-requests.ts';
import { shortQuantity } from '../../../contracts/quantity.ts';
import type { LaneAnswer, LaneJob, LanesAnswer } from '../../../contracts/types.ts';
import { withoutUndefined } from '../../../language/fields.ts';
import { decideLanes } from '../../../queue/lanes/decide-lanes.ts';
import { compareEntries, declaredEnd, type LaneEntry, waitsSince } from '../../../queue/lanes/lane-entry.ts';
import type { LanesDecision } from '../../../queue/lanes/lanes-decision.ts';
import { letInText, type NotDecided, readDeciders } from '../why/read-deciders.ts';
import { readLanesState } from '../why/read-lanes-state.ts';
import { askLanes, type LanesPorts } from './ask-lanes.ts';

/**
 * Says what runs and what waits in each lane, and when the next one starts. It decides as the watcher does, from what the
 * caller may read of the cluster, and changes nothing.
 */
export const readLanesAnswer = (ports: LanesPorts): Promise<LanesAnswer> =>
  askLanes(ports, async (cluster, lanes) => {
    const reading = new Reading(cluster);
    const state = await readLanesState(reading, lanes);
    const { at, entries } = state;
    const decision = decideLanes(state);
    const isLetIn = ({ uid, granted }: LaneEntry) => !granted && !decision.standings.has(uid);
    const notDecided = entries.some(isLetIn) ? await readDeciders(reading, lanes, at) : undefined;
    return {
      asOf: timeOf(at),
      lanes: decision.lanes.map((view) => laneAnswer(view, { entries, decision, notDecided, at })),
      unknown: reading.unread,
    };
  });

interface Facts {
  readonly entries: readonly LaneEntry[];
  readonly decision: LanesDecision;
  readonly notDecided: NotDecided | undefined;
  readonly at: number;
}

function laneAnswer(view: LanesDecision['lanes'][number], facts: Facts): LaneAnswer {
  const { lane, pool, state, why, weight, priority, used, share, borrowed, nextStart } = view;
  const { entries, at } = facts;
  const own = entries.filter((entry) => entry.lane === lane).toSorted(compareEntries);
  return withoutUndefined({
    ...{ lane, pool, state, why, weight, priority },
    used: shortAmounts(used),
    share: shortAmounts(share),
    borrowed: shortAmounts(borrowed),
    nextStart: nextStart === undefined ? undefined : timeOf(nextStart),
    running: own.filter(({ granted }) => granted).map((entry) => jobAnswer(entry, at)),
    waiting: own
      .filter(({ granted }) => !granted)
      .map((entry) => ({ ...jobAnswer(entry, at), ...standingOf(entry, facts) })),
  });
}

/** Parts of a pool need not be whole numbers. */
const shortAmounts = (amounts: Amounts): Readonly<Record<string, string>> =>
  Object.fromEntries([...amounts].map(([resource, amount]) => [resource, shortQuantity(amount)]));

function jobAnswer(entry: LaneEntry, at: number): LaneJob {
  const { namespace, job: name, priority, demand, granted } = entry;
  const end = granted ? declaredEnd(entry, at) : undefined;
  return {
    ...{ namespace, name, priority, needs: formatAmounts(demand) },
    since: timeOf(granted?.at ?? waitsSince(entry)),
    ...(end === undefined ? {} : { ends: timeOf(end) }),
  };
}

function standingOf({ uid }: LaneEntry, { decision, notDecided }: Facts): Partial<LaneJob> {
  const standing = decision.standings.get(uid);
  if (!standing) return { reason: 'Granted', message: letInText(notDecided) };
  const { code: reason, sentence: message, position } = standing;
  return { reason, message, ...(position === undefined ? {} : { position }) };
}

const timeOf = (at: number): string => new Date(at).toISOString();
