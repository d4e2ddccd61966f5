import { ActivityFailure, ApplicationFailure, CancellationScope, workflowInfo } from '@temporalio/workflow';
import type { AdmissionTerms } from '../activities/admit.ts';
import type { RecordStatusRequest } from '../activities/record-status.ts';
import type { EffectResult } from '../activities/support/result.ts';
import { type PlannedRevision, revisionIdOf } from '../contracts/job-revision.ts';
import { isReasonCode, type ReasonCode } from '../contracts/reasons.ts';
import { totalReplicas } from '../contracts/roles.ts';
import type { Cause } from '../contracts/status.ts';
import { errorMessage } from '../language/error-message.ts';
import { cancelledLanes, type LaneName, laneOf } from '../machines/model/effect-lanes.ts';
import type { Effect, JobEvent } from '../machines/model/job-events.ts';
import {
  capture,
  cleanUp,
  createAttempt,
  createGroup,
  drain,
  joinLane,
  keepSpares,
  liftGates,
  publishHostList,
  requestCheckpoint,
  restorePods,
  restoreServices,
  rollBack,
  scale,
  suspend,
} from './activity-options.ts';
import { allOrCancel } from './all-or-cancel.ts';
import { wasCancelled } from './cancellation.ts';
import { retryWhileRefused } from './refusals.ts';

/** Pods per activity. Larger attempts use several activities, which may run on several workers. */
const CHUNK = 500;

/** Runs the machine's effects, and answers with events. */
export interface EffectRunner {
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

interface Lane {
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

type RunnableEffect = Exclude<Effect, { readonly type: 'tryAgain' }>;

/** The record of a job's end, which the clean-up writes if nothing is left. */
export interface EndRecord {
  request(): RecordStatusRequest;
  written(): void;
}

export function createEffectRunner(
  terms: AdmissionTerms,
  answer: (event: JobEvent) => void,
  end: EndRecord,
): EffectRunner {
  const lanes: Record<LaneName, Lane> = { pods: {}, hostLists: {}, services: {}, spares: {} };
  const allLanes = Object.values(lanes);

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

  async function run(lane: Lane, underWay: RunningEffect, previous: readonly Promise<void>[]) {
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
    if (lane.current?.scope !== scope || !event) return;
    lane.current = undefined;
    answer(event);
  }

  function start(effect: RunnableEffect, job: PlannedRevision): void {
    const lane = lanes[laneOf(effect.type)];
    const cancelled = cancelledLanes(effect.type).map((name) => lanes[name]);
    const previous = cancelled.flatMap(({ current }) => current ?? []);
    for (const { scope } of previous) scope.cancel();
    for (const other of cancelled) other.current = undefined;
    const scope = new CancellationScope({ cancellable: true });
    const underWay: RunningEffect = { effect, job, scope, ended: Promise.resolve() };
    lane.current = underWay;
    underWay.ended = run(
      lane,
      underWay,
      previous.map(({ ended }) => ended),
    );
  }

  function tryAgain(): void {
    for (const { current } of allLanes) if (current?.refusal) current.refusal.isWoken = true;
  }

  return {
    run: (effect, job) => {
      if (effect.type === 'tryAgain') tryAgain();
      else start(effect, job);
    },
    isIdle: () => allLanes.every(({ current }) => !current || current.refusal !== undefined),
    interrupt: async () => {
      const underWay = allLanes.flatMap(({ current }) => current ?? []);
      for (const { scope } of underWay) scope.cancel();
      await Promise.all(underWay.map(({ ended }) => ended));
      const unfinished = allLanes.flatMap(({ current }) => current?.effect ?? []);
      for (const lane of allLanes) lane.current = undefined;
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
  const { gang } = terms;
  switch (effect.type) {
    case 'createGroup':
      return createGroup({ ...target, gang, attempt: effect.attempt });
    case 'joinLane':
      return joinLane({
        ...{ ...target, attempt: effect.attempt, yieldsTo: effect.yieldsTo },
        submittedAt: workflowInfo().startTime.getTime(),
      });
    case 'createAttempt':
    case 'launch':
      return createInChunks({ ...target, gang }, { effect, job, again });
    case 'publishHostList':
      return publishHostList({ ...target, attempt: effect.attempt });
    case 'restoreServices':
      return restoreServices({ ...target, names: effect.names });
    case 'keepSpares':
      return keepSpares({ ...target, gang, count: effect.count, avoid: effect.avoid });
    case 'capture':
      return capture({ ...target, gang, attempt: effect.attempt, pods: effect.pods });
    case 'drain': {
      const { type: _, ...what } = effect;
      return drain({ ...target, gang, ...what });
    }
    case 'liftGates': {
      const { type: _, ...what } = effect;
      return liftGates({ ...target, ...what });
    }
    case 'rollBack': {
      const { type: _, ...what } = effect;
      return rollBack({ ...target, gang, ...what });
    }
    case 'restorePods': {
      const { type: _, ...what } = effect;
      return restorePods({ ...target, gang, ...what });
    }
    case 'scale': {
      const { type: _, ...what } = effect;
      return scale({ ...target, gang, ...what });
    }
    case 'requestCheckpoint':
      return requestCheckpoint({ ...target, attempt: effect.attempt });
    case 'suspend': {
      const { type: _, ...what } = effect;
      return suspend({ ...target, gang, ...what });
    }
    case 'cleanUp': {
      const { type: _, outcome: _outcome, ...what } = effect;
      return cleanUp({ ...target, gang, ...what, record: end.request() });
    }
  }
}

/** Identifies the job whose objects an activity handles, and the revision of it. */
const targetOf = ({ anchorUid, clusterId }: AdmissionTerms, { plan, revision }: PlannedRevision) => ({
  job: { namespace: plan.namespace, name: plan.name, ...revisionIdOf(revision) },
  anchorUid,
  clusterId,
});

type Target = ReturnType<typeof targetOf> & Pick<AdmissionTerms, 'gang'>;
type CreateEffect = Effect & { readonly type: 'createAttempt' | 'launch' };

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
    ...(effect.type === 'createAttempt' && effect.queuedSince !== undefined
      ? { queuedSince: effect.queuedSince }
      : {}),
    ...(effect.type === 'createAttempt' && effect.taken ? { taken: effect.taken } : {}),
    ...(again ? { again } : {}),
  };
  const create = (from: number, more: { readonly grantedUntil?: number } = {}) =>
    createAttempt({ ...request, ...more, from, to: Math.min(from + CHUNK, total) });
  const grantedUntil = effect.type === 'createAttempt' ? effect.grantedUntil : undefined;
  // What the lane grants is taken once, before there are pods.
  const first = grantedUntil === undefined ? [] : [await create(0, { grantedUntil })];
  if (first[0]?.isTurnOver) return first[0];
  const others = await allOrCancel(() => starts.slice(first.length).map((from) => create(from)));
  const chunks = [...first, ...others];
  const restored = chunks.find((chunk) => chunk.restored)?.restored;
  return {
    resourceVersion: Math.max(...chunks.map(({ resourceVersion }) => resourceVersion)),
    ...(restored ? { restored } : {}),
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
