import type { Amounts } from '../../../../contracts/pod-requests.ts';
import type { LaneEntry } from '../../../../queue/lanes/lane-entry.ts';
import type { LanesState } from '../../../../queue/lanes/lanes-decision.ts';
import { GPU } from '../lanes.ts';

/** What there is and who has it, counted otherwise than the decider does. */

export const RESOURCES = [GPU, 'cpu'] as const;

export const amount = (amounts: Amounts | undefined, resource: string): number =>
  Number(amounts?.get(resource)?.nanos ?? 0n) / 1e9;

export const sum = (entries: readonly LaneEntry[], resource: string): number =>
  entries.reduce((total, { demand }) => total + amount(demand, resource), 0);

export const running = ({ entries }: LanesState) => entries.filter(({ granted }) => granted);
export const waiting = ({ entries }: LanesState) => entries.filter(({ granted }) => !granted);
export const byUid = ({ entries }: LanesState, uid: string) => entries.find((entry) => entry.uid === uid)!;

/** What a job that waits may have of everything: what is free of the pool, its lane and its caps. */
export function roomFor({ lane, user }: LaneEntry, state: LanesState, held: readonly LaneEntry[]) {
  const { limit, caps } = state.lanes.lanes[lane]!;
  const ofLane = held.filter((entry) => entry.lane === lane);
  return RESOURCES.map((resource) => {
    const bounds = [amount(state.capacity.get('gpus'), resource) - sum(held, resource)];
    if (limit?.has(resource)) bounds.push(amount(limit, resource) - sum(ofLane, resource));
    if (user && caps.perUser?.has(resource)) {
      const own = ofLane.filter((entry) => entry.user === user);
      bounds.push(amount(caps.perUser, resource) - sum(own, resource));
    }
    return Math.min(...bounds);
  });
}

export const fits = (entry: LaneEntry, room: readonly number[]) =>
  RESOURCES.every((resource, r) => {
    const need = amount(entry.demand, resource);
    return need === 0 || need <= room[r]!;
  });

/** Nothing but its place keeps it from starting. */
export function isOpen(entry: LaneEntry, { lanes, at, capacity }: LanesState): boolean {
  const { limit, caps, paused, drain } = lanes.lanes[entry.lane]!;
  if (paused !== undefined || drain !== undefined) return false;
  if (entry.heldUntil !== undefined && entry.heldUntil > at) return false;
  const most = RESOURCES.map((resource) =>
    Math.min(
      amount(capacity.get('gpus'), resource),
      limit?.has(resource) ? amount(limit, resource) : Number.POSITIVE_INFINITY,
      entry.user && caps.perUser?.has(resource) ? amount(caps.perUser, resource) : Number.POSITIVE_INFINITY,
    ),
  );
  return fits(entry, most);
}
