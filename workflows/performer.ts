import { ActivityFailure, ApplicationFailure, CancellationScope } from '@temporalio/workflow';
import type { Admission } from '../activities/admit.ts';
import type { Done } from '../activities/create-attempt.ts';
import { REASONS, type ReasonCode } from '../contracts/reasons.ts';
import type { Cause } from '../contracts/status.ts';
import type { Effect, JobEvent } from '../machines/job-events.ts';
import {
  capture,
  cleanUp,
  createAttempt,
  createGroup,
  drain,
  drainPatiently,
  publishRoster,
  publishRules,
  requestCheckpoint,
  restorePatiently,
  restorePods,
  scale,
  scalePatiently,
  suspend,
  suspendPatiently,
} from './activity-options.ts';
import { wasCalledOff } from './called-off.ts';
import { together } from './together.ts';

/** Pods of one activity. More go to several activities, which may run on several workers. */
const CHUNK = 500;

/** Does what the machine wants done, and answers with events. */
export interface Performer {
  /**
   * One effect at a time, and beside it the newest list of pods. An effect that is still under way is cancelled, and
   * waited for, before the new one begins; its end is not told.
   */
  perform(effect: Effect): void;
  isIdle(): boolean;
  /**
   * Cancels what is under way, waits for it, and gives it, to be performed again by another run of the workflow. What
   * comes to its end all the same is answered as ever, and not given.
   */
  interrupt(): Promise<readonly Effect[]>;
}

interface Lane {
  current?: { readonly effect: Effect; readonly scope: CancellationScope; ended: Promise<void> };
}

/** `admission`: of the job as it is now; it may be amended. */
export function createPerformer(admission: () => Admission, answer: (event: JobEvent) => void): Performer {
  const changes: Lane = {};
  const lists: Lane = {};
  const rules: Lane = {};

  async function run(lane: Lane, effect: Effect, previous: readonly Promise<void>[]) {
    const scope = lane.current!.scope;
    await Promise.all(previous);
    const { type } = effect;
    const event = await scope
      .run(() => performOne(admission(), effect))
      .then(
        (done): JobEvent => ({ type: 'effectDone', effect: type, ...done, at: Date.now() }),
        (error): JobEvent | undefined =>
          scope.consideredCancelled && wasCalledOff(error)
            ? undefined
            : { type: 'effectFailed', effect: type, cause: causeOf(error), at: Date.now() },
      );
    if (lane.current?.scope !== scope || !event) return;
    lane.current = undefined;
    answer(event);
  }

  function start(lane: Lane, effect: Effect, before: readonly Lane[]): void {
    const previous = before.flatMap(({ current }) => current ?? []);
    for (const { scope } of previous) scope.cancel();
    for (const other of before) other.current = undefined;
    const scope = new CancellationScope({ cancellable: true });
    lane.current = { effect, scope, ended: Promise.resolve() };
    lane.current.ended = run(
      lane,
      effect,
      previous.map(({ ended }) => ended),
    );
  }

  return {
    perform: (effect) => {
      if (effect.type === 'publishRoster') start(lists, effect, [lists]);
      else if (effect.type === 'publishRules') start(rules, effect, [rules]);
      // Nothing may be written any more when pods are removed for good.
      else start(changes, effect, REMOVALS.has(effect.type) ? [changes, lists] : [changes]);
    },
    isIdle: () => [changes, lists, rules].every(({ current }) => current === undefined),
    interrupt: async () => {
      const lanes = [changes, lists, rules];
      const underWay = lanes.flatMap(({ current }) => current ?? []);
      for (const { scope } of underWay) scope.cancel();
      await Promise.all(underWay.map(({ ended }) => ended));
      const unfinished = lanes.flatMap(({ current }) => current?.effect ?? []);
      for (const lane of lanes) lane.current = undefined;
      return unfinished;
    },
  };
}

const REMOVALS: ReadonlySet<Effect['type']> = new Set(['suspend', 'cleanUp', 'drain']);

function performOne(admission: Admission, effect: Effect): Promise<Done> {
  const { job, anchorUid, gang } = admission;
  switch (effect.type) {
    case 'createGroup':
      return createGroup({ job, anchorUid, gang, attempt: effect.attempt });
    case 'createAttempt':
    case 'launch':
      return createInChunks(admission, effect);
    case 'publishRoster':
      return publishRoster({ job, anchorUid, attempt: effect.attempt });
    case 'publishRules':
      return publishRules({ job, anchorUid });
    case 'capture':
      return capture({ job, anchorUid, gang, attempt: effect.attempt, pods: effect.pods });
    case 'drain': {
      const { type: _, ...what } = effect;
      return (effect.patient ? drainPatiently : drain)({ job, anchorUid, gang, ...what });
    }
    case 'restorePods': {
      const { type: _, ...what } = effect;
      return (effect.patient ? restorePatiently : restorePods)({ job, anchorUid, gang, ...what });
    }
    case 'scale': {
      const { type: _, ...what } = effect;
      return (effect.patient ? scalePatiently : scale)({ job, anchorUid, gang, ...what });
    }
    case 'requestCheckpoint':
      return requestCheckpoint({ job, anchorUid, attempt: effect.attempt });
    case 'suspend': {
      const { type: _, ...what } = effect;
      return (effect.patient ? suspendPatiently : suspend)({ job, anchorUid, gang, ...what });
    }
    case 'cleanUp':
      return cleanUp({ job, anchorUid, gang, scope: effect.scope, graceSeconds: effect.graceSeconds });
  }
}

async function createInChunks(
  { job, anchorUid, gang }: Admission,
  effect: Effect & { readonly type: 'createAttempt' | 'launch' },
): Promise<Done> {
  const { attempt, roles, avoid } = effect;
  const total = job.roles
    .filter(({ name }) => !roles || roles.includes(name))
    .reduce((sum, { replicas }) => sum + replicas, 0);
  const starts = Array.from({ length: Math.ceil(total / CHUNK) }, (_, index) => index * CHUNK);
  const done = effect.type === 'launch' ? effect.done : {};
  const request = { job, anchorUid, gang, attempt, roles, done, asGang: true, avoid };
  const chunks = await together(() =>
    starts.map((from) => createAttempt({ ...request, from, to: Math.min(from + CHUNK, total) })),
  );
  return { revision: Math.max(...chunks.map(({ revision }) => revision)) };
}

/** The cause behind an activity's final failure. */
export function causeOf(error: unknown): Cause {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const type = cause instanceof ApplicationFailure ? cause.type : undefined;
  const reason: ReasonCode = type && type in REASONS ? (type as ReasonCode) : 'EngineFault';
  return { reason, message: cause instanceof Error ? cause.message : String(cause) };
}
