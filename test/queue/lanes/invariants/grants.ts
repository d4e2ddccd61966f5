import type { Check } from '../world.ts';
import { amount, byUid, fits, isOpen, RESOURCES, roomFor, running, waiting } from './arithmetic.ts';

/** What is granted is there, and what is there is granted. */

/** Σ grants ≤ capacity, per resource; no limit and no cap is exceeded by a grant. */
export const capacityIsKept: Check = ({ state, decision, afterwards }) => {
  const held = running(afterwards);
  return decision.grants.flatMap(({ uid }) => {
    const one = byUid(afterwards, uid);
    const room = roomFor(one, afterwards, held);
    const isOver = RESOURCES.some((resource, r) => amount(one.demand, resource) > 0 && room[r]! < 0);
    return isOver ? [`I1: ${uid} is granted more than there is at ${state.at}`] : [];
  });
};

/** A grant is for one job that waits; who gives back holds something, and was not told before. */
export const grantsAreForOne: Check = ({ state, decision }) => {
  const broken: string[] = [];
  const granted = decision.grants.map(({ uid }) => uid);
  if (new Set(granted).size < granted.length) broken.push('I2: granted twice');
  for (const uid of granted) if (byUid(state, uid)?.granted) broken.push(`I2: ${uid} is granted what it has`);
  for (const { uid, to } of decision.yields) {
    const one = byUid(state, uid);
    if (!one?.granted || one.yieldsTo) broken.push(`I2: ${uid} cannot give back`);
    // It may start at once with what others would wait for, who then get what is given back.
    const start = decision.grants.find((grant) => grant.uid === to);
    if (byUid(state, to)?.granted || (start && !start.after?.includes(uid)))
      broken.push(`I2: ${to} needs nothing of ${uid}`);
  }
  return broken;
};

/** Whose room is free has it at once, and nobody holds it back for somebody who cannot come. */
export const freedRoomIsUsed: Check = ({ decision, afterwards }) =>
  [...decision.standings].flatMap(([uid, { code }]) => {
    if (code !== 'CapacityBeingFreed') return [];
    const one = byUid(afterwards, uid);
    const held = running(afterwards);
    const isFirst = [...decision.standings].filter(([, { code: other }]) => other === code).length === 1;
    const isNew = decision.yields.some(({ to }) => to === uid);
    return isFirst && !isNew && fits(one, roomFor(one, afterwards, held))
      ? [`I6: ${uid} has its room and does not start`]
      : [];
  });

/** Where nothing is in the way, the first job of a lane that fits starts. */
export const nothingIdles: Check = ({ decision, afterwards }) => {
  const held = running(afterwards);
  const open = waiting(afterwards).filter((one) => isOpen(one, afterwards));
  const free = open.filter((one) => fits(one, roomFor(one, afterwards, held)));
  if (held.length === 0 && free.length > 0) return [`I9: ${free[0]!.uid} waits for an idle pool`];
  // Whoever fits is behind somebody who does not.
  const isHeldUp = free.length > 0 && open.length === free.length && decision.yields.length === 0;
  const isOwed = open.some(({ uid }) => decision.standings.get(uid)?.code === 'CapacityBeingFreed');
  const isClosed = open.some(({ uid }) => decision.standings.get(uid)?.code === 'CapReached');
  return isHeldUp && !isOwed && !isClosed ? [`I9: ${free[0]!.uid} fits and waits behind nobody`] : [];
};
