import { ActivityFailure, ApplicationFailure, CancellationScope, workflowInfo } from '@temporalio/workflow';
import type { AdmissionTerms } from '../activities/admit.ts';
import type { RecordStatusRequest } from '../activities/record-status.ts';
import type { EffectResult } from '../activities/support/effect.ts';
import { type PlannedRevision, revisionIdOf } from '../contracts/job-revision.ts';
import { isReasonCode, type ReasonCode } from '../contracts/reasons.ts';
import { totalReplicas } from '../contracts/roles.ts';
import type { Cause } from '../contracts/types.ts';
import { errorMessage } from '../language/error-message.ts';
import {
  cancelledTracks,
  type Effect,
  type EffectTrack,
  type RequestedFields,
  type RunnableEffect,
  type RunnableType,
  requestedFields,
  trackOf,
} from '../machines/model/effects.ts';
import type { JobEvent } from '../machines/model/job-events.ts';
import { longActivities } from './activity-options.ts';
import { allOrCancel } from './all-or-cancel.ts';
import { wasCancelled } from './cancellation.ts';
import { retryWhileRefused } from './refusals.ts';

/** Pods per activity. Larger attempts use several activities, which may run on several workers. */
const CHUNK = 500;

/** Runs the machine's effects, and answers with events. */
interface EffectRunner {
  /**
   * Runs one effect at a time; host lists and rules run beside it. Cancels the effect in progress, waits for it, and
   * drops its result before starting the new one. Reports and retries what the API server refuses for now. `job`: the
   * revision that the effect was decided for.
   */
  run(effect: Effect, job: PlannedRevision): void;
  isIdle(): boolean;
  /**
   * Cancels the effects in progress, waits for them, and returns them, so that another run of the workflow can repeat
   * them. An effect that completes anyway is reported as usual and not returned.
   */
  interrupt(): Promise<readonly Effect[]>;
}

interface Track {
  current?: RunningEffect;
}

interface RunningEffect {
  readonly effect: RunnableEffect;
  readonly job: PlannedRevision;
  readonly scope: CancellationScope;
  ended: Promise<void>;
  /** The API server refuses the effect for now. `isWoken`: retry it without waiting any longer. */
  refusal?: { isWoken: boolean };
}

/** The record of a job's end, which the clean-up writes if nothing is left. */
interface EndRecord {
  request(): RecordStatusRequest;
  written(): void;
}

export function createEffectRunner(
  terms: AdmissionTerms,
  answer: (event: JobEvent) => void,
  end: EndRecord,
): EffectRunner {
  const tracks: Record<EffectTrack, Track> = { pods: {}, hostLists: {}, services: {}, spares: {} };
  const allTracks = Object.values(tracks);

  function untilDone(underWay: RunningEffect): Promise<EffectResult> {
    const { effect, job, scope } = underWay;
    const { type } = effect;
    return retryWhileRefused(
      (again) => {
        underWay.refusal = undefined;
        return runActivity(terms, { effect, job, again, end });
      },
      {
        isWoken: () => underWay.refusal?.isWoken ?? false,
        refused: ({ reason, message, isLimited }) => {
          underWay.refusal = { isWoken: false };
          const cause = { reason, message };
          if (!scope.consideredCancelled) {
            answer({ type: 'effectRefused', effect: type, cause, isLimited, at: Date.now() });
          }
        },
      },
    );
  }

  async function run(track: Track, underWay: RunningEffect, previous: readonly Promise<void>[]) {
    const { effect, scope } = underWay;
    await Promise.all(previous);
    const { type } = effect;
    const event = await scope
      .run(() => untilDone(underWay))
      .then(
        ({ recordedAt, ...result }): JobEvent => {
          if (recordedAt !== undefined) end.written();
          return { type: 'effectDone', effect: type, ...result, at: recordedAt ?? Date.now() };
        },
        (error): JobEvent | undefined =>
          scope.consideredCancelled && wasCancelled(error)
            ? undefined
            : { type: 'effectFailed', effect: type, cause: causeOfFailure(error), at: Date.now() },
      );
    if (track.current?.scope !== scope || !event) return;
    track.current = undefined;
    answer(event);
  }

  function start(effect: RunnableEffect, job: PlannedRevision): void {
    const track = tracks[trackOf(effect.type)];
    const cancelled = cancelledTracks(effect.type).map((name) => tracks[name]);
    const previous = cancelled.flatMap(({ current }) => current ?? []);
    for (const { scope } of previous) scope.cancel();
    for (const other of cancelled) other.current = undefined;
    const scope = new CancellationScope({ cancellable: true });
    const underWay: RunningEffect = { effect, job, scope, ended: Promise.resolve() };
    track.current = underWay;
    underWay.ended = run(
      track,
      underWay,
      previous.map(({ ended }) => ended),
    );
  }

  function tryAgain(): void {
    for (const { current } of allTracks) if (current?.refusal) current.refusal.isWoken = true;
  }

  return {
    run: (effect, job) => {
      if (effect.type === 'tryAgain') tryAgain();
      else start(effect, job);
    },
    isIdle: () => allTracks.every(({ current }) => !current || current.refusal !== undefined),
    interrupt: async () => {
      const underWay = allTracks.flatMap(({ current }) => current ?? []);
      for (const { scope } of underWay) scope.cancel();
      await Promise.all(underWay.map(({ ended }) => ended));
      const unfinished = allTracks.flatMap(({ current }) => current?.effect ?? []);
      for (const track of allTracks) track.current = undefined;
      return unfinished;
    },
  };
}

interface Try {
  readonly effect: RunnableEffect;
  readonly job: PlannedRevision;
  /** An earlier try was refused. */
  readonly again: boolean;
  readonly end: EndRecord;
}

function runActivity(terms: AdmissionTerms, { effect, job, again, end }: Try): Promise<EffectResult> {
  const target = targetOf(terms, job);
  if (effect.type === 'createAttempt' || effect.type === 'launch')
    return createInChunks(target, { effect, job, again });
  const perform = PERFORMED[effect.type] as (request: object) => Promise<EffectResult>;
  return perform({ ...target, ...requestedFields(effect), ...addedTo(effect, end) });
}

type Performed = Exclude<RunnableType, 'createAttempt' | 'launch'>;

/** Each effect has an activity of its name, which accepts its fields. */
const PERFORMED: {
  readonly [T in Performed]: (request: Target & RequestedFields<T> & Added<T>) => Promise<EffectResult>;
} = longActivities;

type Added<T extends Performed> = T extends keyof AddedFields ? AddedFields[T] : object;

interface AddedFields {
  readonly joinLane: { readonly submittedAt: number };
  readonly cleanUp: { readonly record: RecordStatusRequest };
}

/** What only the workflow knows. */
function addedTo({ type }: RunnableEffect, end: EndRecord): AddedFields[keyof AddedFields] | object {
  if (type === 'joinLane') return { submittedAt: workflowInfo().startTime.getTime() };
  return type === 'cleanUp' ? { record: end.request() } : {};
}

/** Identifies the job whose objects an activity handles, and the revision of it. */
const targetOf = ({ anchorUid, clusterId, gang }: AdmissionTerms, { plan, revision }: PlannedRevision) => ({
  job: { namespace: plan.namespace, name: plan.name, ...revisionIdOf(revision) },
  anchorUid,
  clusterId,
  gang,
});

type Target = ReturnType<typeof targetOf>;
type CreateEffect = RunnableEffect & { readonly type: 'createAttempt' | 'launch' };

async function createInChunks(
  target: Target,
  { effect, job, again }: Pick<Try, 'job' | 'again'> & { readonly effect: CreateEffect },
): Promise<EffectResult> {
  const { attempt, roles, avoid } = effect;
  const total = totalReplicas(job.plan.roles, roles);
  const starts = Array.from({ length: Math.ceil(total / CHUNK) }, (_, index) => index * CHUNK);
  const succeededIndices = effect.type === 'launch' ? effect.succeededIndices : {};
  const request = {
    ...target,
    attempt,
    roles,
    succeededIndices,
    asGang: true,
    avoid,
    ...(effect.meeting ? { meeting: effect.meeting } : {}),
    ...(effect.type === 'createAttempt' && effect.queuedSince !== undefined
      ? { queuedSince: effect.queuedSince }
      : {}),
    ...(effect.type === 'createAttempt' && effect.taken ? { taken: effect.taken } : {}),
    ...(again ? { again } : {}),
  };
  const create = (from: number, more: { readonly grantedUntil?: number } = {}) =>
    longActivities.createAttempt({ ...request, ...more, from, to: Math.min(from + CHUNK, total) });
  const grantedUntil = effect.type === 'createAttempt' ? effect.grantedUntil : undefined;
  // What the lane grants is taken once, before there are pods.
  const first = grantedUntil === undefined ? [] : [await create(0, { grantedUntil })];
  if (first[0]?.isTurnOver) return first[0];
  const others = await allOrCancel(() => starts.slice(first.length).map((from) => create(from)));
  const chunks = [...first, ...others];
  const restored = chunks.find((chunk) => chunk.restored)?.restored;
  const warnings = [...new Set(chunks.flatMap((chunk) => chunk.warnings ?? []))];
  return {
    resourceVersion: Math.max(...chunks.map(({ resourceVersion }) => resourceVersion)),
    ...(restored ? { restored } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(chunks.some(({ isUnadmitted }) => isUnadmitted) ? { isUnadmitted: true } : {}),
  };
}

/** Returns the cause of an activity's final failure. */
export function causeOfFailure(error: unknown): Cause {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const type = cause instanceof ApplicationFailure ? cause.type : undefined;
  const reason: ReasonCode = isReasonCode(type) ? type : 'EngineFault';
  const where = cause instanceof ApplicationFailure && reason === 'NameTaken' ? cause.details?.[0] : {};
  return {
    ...(where as Partial<Cause>),
    reason,
    message: errorMessage(cause),
  };
}
