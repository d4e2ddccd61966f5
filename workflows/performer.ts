import { ActivityFailure, ApplicationFailure, CancellationScope } from '@temporalio/workflow';
import type { Admission } from '../activities/admit.ts';
import type { Done } from '../activities/create-attempt.ts';
import { REASONS, type ReasonCode } from '../contracts/reasons.ts';
import type { Cause } from '../contracts/status.ts';
import type { Effect, JobEvent } from '../machines/job-events.ts';
import { cleanUp, createAttempt, restorePods } from './activity-options.ts';

/** Pods of one activity. More go to several activities, which may run on several workers. */
const CHUNK = 500;

/** Does what the machine wants done, one effect at a time, and answers with an event. */
export interface Performer {
  /** An effect that is still under way is cancelled, and waited for, before the new one begins; its end is not told. */
  perform(effect: Effect): void;
  isIdle(): boolean;
}

export function createPerformer(admission: Admission, answer: (event: JobEvent) => void): Performer {
  let current: { scope: CancellationScope; ended: Promise<void> } | undefined;

  async function run(effect: Effect, scope: CancellationScope, previous: Promise<void> | undefined) {
    await previous;
    const event = await scope
      .run(() => performOne(admission, effect))
      .then(
        ({ revision }) => ({ type: 'effectDone' as const, effect: effect.type, revision, at: Date.now() }),
        (error) => ({
          type: 'effectFailed' as const,
          effect: effect.type,
          cause: causeOf(error),
          at: Date.now(),
        }),
      );
    if (current?.scope !== scope) return;
    current = undefined;
    answer(event);
  }

  return {
    perform: (effect) => {
      const previous = current;
      previous?.scope.cancel();
      const scope = new CancellationScope({ cancellable: true });
      const started = { scope, ended: Promise.resolve() };
      current = started;
      started.ended = run(effect, scope, previous?.ended);
    },
    isIdle: () => current === undefined,
  };
}

function performOne({ job, anchorUid, gang }: Admission, effect: Effect): Promise<Done> {
  switch (effect.type) {
    case 'createAttempt':
      return createInChunks({ job, anchorUid, gang }, effect.attempt);
    case 'restorePods': {
      const { attempt, replace, done, asGang } = effect;
      return restorePods({ job, anchorUid, gang, attempt, replace, done, asGang });
    }
    case 'cleanUp':
      return cleanUp({ namespace: job.namespace, jobName: job.name, gang, scope: effect.scope });
  }
}

async function createInChunks(admission: Admission, attempt: number): Promise<Done> {
  const total = admission.job.roles.reduce((sum, { replicas }) => sum + replicas, 0);
  const starts = Array.from({ length: Math.ceil(total / CHUNK) }, (_, index) => index * CHUNK);
  const request = { ...admission, attempt, done: {}, asGang: true };
  const chunks = await Promise.all(
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
