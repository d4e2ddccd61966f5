import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isFinal } from '../../contracts/status.ts';
import type { Plan } from '../../contracts/training-job.ts';
import { countRestarts } from '../../machines/job-context.ts';
import type { Effect, JobEvent } from '../../machines/job-events.ts';
import { statusOf } from '../../machines/job-status.ts';
import { begin, type Job, restore, save, step } from '../../machines/step.ts';
import { ANCHOR } from './builders.ts';
import { type Move, plans, walks } from './random-walks.ts';

/** Of up to 14 events each; an event takes some 60 µs. */
const WALKS = 10_000;

describe('whatever happens in whatever order', () => {
  it('a job keeps its promises', () => {
    const property = fc.property(plans, walks, fc.boolean(), (plan, walk, queued) => {
      expectItStops(walkThrough({ plan, queued }, walk, expectPromises));
    });
    fc.assert(property, { numRuns: WALKS, seed: 1 });
  });

  it('the same events lead to the same effects and the same status', () => {
    fc.assert(
      fc.property(plans, walks, fc.boolean(), (plan, walk, queued) => {
        const tell = () => {
          const effects: Effect[] = [];
          const end = walkThrough({ plan, queued }, walk, (_, after) => effects.push(...after.effects));
          return JSON.stringify([effects, statusOf(end.job, [])]);
        };
        expect(tell()).toBe(tell());
      }),
      { numRuns: WALKS / 5, seed: 2 },
    );
  });
});

interface Place {
  readonly job: Job;
  readonly effects: readonly Effect[];
  /** What the host is doing; a new effect takes its place. */
  readonly outstanding: Effect | undefined;
}

function walkThrough(
  start: { readonly plan: Plan; readonly queued: boolean },
  walk: readonly Move[],
  look: (before: Place, after: Place) => void,
): Place {
  const first = begin({ ...start, anchorUid: ANCHOR, gang: 'native' }, 0);
  let place: Place = { ...first, outstanding: first.effects[0] };
  for (const [index, move] of walk.entries()) {
    const next = go(place, move, (index + 1) * 1000);
    look(place, next);
    place = next;
  }
  return place;
}

function go(place: Place, move: Move, at: number): Place {
  if (move.move === 'continue as new') return { ...place, job: throughJson(place.job), effects: [] };
  const event = eventOf(place, move, at);
  if (!event) return { ...place, effects: [] };
  const { job, effects } = step(place.job, event);
  const isAnswered = 'effect' in event && event.effect === place.outstanding?.type;
  return { job, effects, outstanding: changesOf(effects)[0] ?? (isAnswered ? undefined : place.outstanding) };
}

/** Lists of pods are written beside everything else. */
const changesOf = (effects: readonly Effect[]) => effects.filter(({ type }) => type !== 'publishRoster');

function eventOf({ outstanding }: Place, move: Move, at: number): JobEvent | undefined {
  switch (move.move) {
    case 'hear':
      return { type: 'digest', digest: move.digest, at };
    case 'stop':
      return { type: 'stop', cause: { reason: 'StopRequested', message: 'stopped' }, at };
    case 'suspend':
    case 'resume':
      return { type: move.move, cause: { reason: 'Suspended', message: move.move }, at };
    case 'deadline':
      return { type: 'deadline', name: 'activeDeadline', at };
    case 'back-off':
      return { type: 'deadline', name: 'backOff', at };
    case 'late answer':
      return outstanding?.type === 'createAttempt'
        ? undefined
        : { type: 'effectDone', effect: 'createAttempt', revision: 40, at };
    case 'answer':
      return outstanding && { type: 'effectDone', effect: outstanding.type, revision: move.revision, at };
    case 'fail':
      return (
        outstanding && {
          type: 'effectFailed',
          effect: outstanding.type,
          cause: { reason: 'ClusterRefused', message: 'refused' },
          at,
        }
      );
  }
}

type Promised = (before: Place, after: Place) => boolean;

const PROMISES: Readonly<Record<string, Promised>> = {
  'nothing is wanted after a final state': (before, { effects }) =>
    !isFinal(statusOf(before.job, []).state) || effects.length === 0,
  'one change at a time': (_, { effects }) => changesOf(effects).length <= 1,
  'no pod before the group is let in': (before, { effects }) =>
    before.job.snapshot.context.digest?.gang?.admitted !== undefined ||
    !before.job.snapshot.context.queued ||
    changesOf(effects).every(({ type }) => type !== 'restorePods' && type !== 'launch'),
  'a suspended job wants no pods': (_, { job, effects }) =>
    statusOf(job, []).phase !== 'Suspended' || changesOf(effects).every(({ type }) => type === 'suspend'),
  'attempts only grow': (before, after) =>
    after.job.snapshot.context.attempt >= before.job.snapshot.context.attempt,
  'a launcher comes once, and after its workers': (before, { effects }) => {
    const { launched, plan } = before.job.snapshot.context;
    const isWanted = effects.some(({ type }) => type === 'launch');
    return !isWanted || (!launched && plan.roles.some(({ after }) => after?.length));
  },
  'an outcome stays as it is': (before, after) => {
    const [was, is] = [statusOf(before.job, []), statusOf(after.job, [])];
    const outcomeOf = ({ phase, cause, completionTime }: typeof was) =>
      JSON.stringify([phase, cause, completionTime]);
    return !isFinal(was.phase) || outcomeOf(was) === outcomeOf(is);
  },
  'a final phase and an outcome come together': (_, { job }) =>
    isFinal(statusOf(job, []).phase) === (job.snapshot.context.outcome !== undefined),
  'restarts are never taken back': (before, after) => {
    const [had, has] = [before.job, after.job].map(({ snapshot }) => snapshot.context.restarts);
    return Math.min(...Object.values(has!)) >= 0 && countRestarts(has!) >= countRestarts(had!);
  },
  'every condition is there once': (_, { job }) => {
    const types = job.record.conditions.map(({ type }) => type);
    return new Set(types).size === types.length;
  },
  'Running and Restarting exclude each other': (_, { job }) =>
    !(hasCondition(job, 'Running') && hasCondition(job, 'Restarting')),
  'Succeeded and Failed say what the phase says': (_, { job }) => {
    const { phase } = statusOf(job, []);
    return (
      isTrue(job, 'Succeeded') === (phase === 'Completed') && isTrue(job, 'Failed') === (phase === 'Failed')
    );
  },
  'nothing runs or restarts after the end': (_, { job }) =>
    !isFinal(statusOf(job, []).phase) || !(isTrue(job, 'Running') || isTrue(job, 'Restarting')),
};

function expectPromises(before: Place, after: Place): void {
  for (const [promise, isKept] of Object.entries(PROMISES)) {
    if (!isKept(before, after)) throw new Error(`not kept: ${promise}`);
  }
}

const hasCondition = (job: Job, wanted: string) => job.record.conditions.some(({ type }) => type === wanted);
const isTrue = (job: Job, wanted: string) =>
  job.record.conditions.some(({ type, status }) => type === wanted && status === 'True');

/** From anywhere, a stop and the answers to what is then wanted lead to an end. */
function expectItStops(place: Place): void {
  const stopped = go(place, { move: 'stop' }, 1e6);
  const end = go(stopped, { move: 'answer', revision: 0 }, 1e6 + 1000);
  if (!isFinal(statusOf(end.job, []).state)) throw new Error('a stopped job did not end');
}

const throughJson = (job: Job): Job => restore(JSON.parse(JSON.stringify(save(job))));
