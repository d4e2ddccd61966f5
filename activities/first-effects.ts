import { totalReplicas } from '../contracts/roles.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import type { Effect } from '../machines/model/effects.ts';
import { begin, step } from '../machines/step.ts';
import type { Admission } from './admit.ts';
import { readJob } from './anchors/read-job.ts';
import { createAttempt } from './create-attempt.ts';
import { createGroup } from './create-group.ts';
import { joinLane } from './lane-places.ts';
import type { Dependencies } from './support/dependencies.ts';
import type { EffectResult } from './support/effect.ts';

/** An effect that admission has run already, as the machine decided it, and its result. */
interface DoneEffect {
  readonly effect: Effect;
  readonly result: EffectResult;
}

/** An admission, and what was done with it. */
export interface Begun extends Admission {
  readonly done: readonly DoneEffect[];
  /** The identity of the client that started the workflow. */
  readonly startedBy?: string;
}

/** A job of more pods first shows that it is admitted, and then that its pods are being created. */
const MOST_PODS = 100;

/**
 * Runs the effects that a job begins with: its first pods then cost no activity and no workflow task of their own. Ends
 * without an error where an effect fails: the workflow runs it again, and shows what it waits for.
 */
export async function runFirstEffects(
  dependencies: Dependencies,
  admission: Admission,
  submission: Submission = {},
): Promise<readonly DoneEffect[]> {
  const done: DoneEffect[] = [];
  try {
    const { plan, revision, anchorUid } = admission;
    const reference = { namespace: plan.namespace, name: plan.name, ...revision, anchorUid };
    const { job } = await readJob(dependencies, reference);
    let { job: state, effects } = begin({ ...admission, at: Date.now() });
    for (;;) {
      const [effect] = effects;
      const result = effect && (await run(dependencies, { effect, job, admission, submission }));
      if (!result) return done;
      done.push({ effect, result });
      const event = { type: 'effectDone', effect: effect.type, ...result, at: Date.now() } as const;
      ({ job: state, effects } = step(state, event));
    }
  } catch {
    return done;
  }
}

interface Submission {
  readonly submitter?: string;
  /** In epoch milliseconds. */
  readonly submittedAt?: number;
}

interface FirstEffect {
  readonly effect: Effect;
  readonly job: TrainingJob;
  readonly admission: Admission;
  readonly submission: Submission;
}

/** Returns undefined for an effect that the workflow runs. */
async function run(
  dependencies: Dependencies,
  { effect, job, admission, submission: { submitter, submittedAt } }: FirstEffect,
): Promise<EffectResult | undefined> {
  const { anchorUid, gang, requester, createdAt } = admission;
  const target = { job, anchorUid, gang };
  if (effect.type === 'createGroup') return createGroup(dependencies, { ...target, attempt: effect.attempt });
  if (effect.type === 'joinLane')
    return joinLane(dependencies, {
      ...{ ...target, attempt: effect.attempt, user: requester ?? submitter },
      submittedAt: createdAt ?? submittedAt,
    });
  if (effect.type !== 'createAttempt') return undefined;
  const { attempt, roles, avoid } = effect;
  const to = totalReplicas(job.roles, roles);
  if (to > MOST_PODS) return undefined;
  const request = { ...target, attempt, roles, avoid, succeededIndices: {}, asGang: true, from: 0, to };
  return createAttempt(dependencies, request);
}
