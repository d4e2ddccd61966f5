import { expect, it } from '@jest/globals';
import { DEFAULT_POLICY } from '../../contracts/policy.ts';
import type { Policy } from '../../contracts/types.ts';
import { aPlan, type PlanBuilder } from './builders.ts';
import type { Move } from './model-moves.ts';
import { type ModelWalk, runModel, runToEnd } from './model-walks.ts';

/** Sequences that once violated an invariant, as the random walks found them. */

const START = { queued: false, otherPolicy: undefined, calm: 0 } as const;

const lifeOf = (plan: PlanBuilder, moves: readonly Move[], more: Partial<ModelWalk> = {}): ModelWalk => ({
  ...START,
  plan: plan.build(),
  moves,
  ...more,
});

const withPolicy = (run: ModelWalk, policy: Partial<Policy>): ModelWalk => ({
  ...run,
  plan: { ...run.plan, policy: { ...DEFAULT_POLICY, ...policy } },
});

const then = (does: Move['does'], which = 0): Move => ({ does, which, slack: 0, isHeardLater: false });
const WELL = then('all goes well');

const elastic = (replicas: number) => aPlan().workersWith(replicas, { scales: { min: 1 } });

const FINDINGS: Readonly<Record<string, ModelWalk>> = {
  'the anchor of a job that waits for its group is deleted': lifeOf(
    aPlan().workers(1),
    [then('the anchor is deleted'), then('the watcher tells')],
    { queued: true },
  ),
  'a job is to be smaller, and its pods are made once more': withPolicy(
    lifeOf(aPlan().workers(2), [
      WELL,
      WELL,
      then('a user deletes a pod', 1),
      WELL,
      then('ana scales it'),
      then('continue as new'),
    ]),
    { scaleByRestart: true },
  ),
  'a pod does not go for longer than a suspension waits': lifeOf(aPlan().workers(1), [
    WELL,
    then('ana suspends it'),
    then('an activity gets on', 1),
    then('time goes by', 3),
  ]),
  'another pod fails while the next try is waited for': withPolicy(
    lifeOf(aPlan().workers(2, 'Always'), [
      WELL,
      then('a pod fails'),
      WELL,
      then('a pod fails', 1),
      WELL,
      WELL,
      then('a pod fails', 1),
    ]),
    { restart: { ...DEFAULT_POLICY.restart, ladder: [{ scope: 'pod' }] } },
  ),
  'the deadline is over while a pod is replaced, and failed pods are to be held': lifeOf(
    aPlan().workers(1, 'ExitCode').deadline(60),
    [WELL, then('a pod fails'), then('ana holds it', 1), WELL, WELL, then('the engine is away', 3)],
  ),
  'a pod that is too many fails when it is told to stop': lifeOf(elastic(3), [
    WELL,
    then('ana scales it', 1),
    then('an activity ends'),
    then('a pod fails', 11),
    then('the watcher tells'),
    then('a pod gets on', 2),
    WELL,
  ]),
  'a size is asked for and taken back while pods are made': lifeOf(elastic(2), [
    then('ana scales it'),
    WELL,
    then('ana scales it', 1),
    then('continue as new'),
    then('ana scales it'),
    WELL,
  ]),
  'a job is suspended, resumed, and suspended again before its pods are gone': lifeOf(aPlan().workers(1), [
    WELL,
    then('ana suspends it'),
    then('ana resumes it'),
    then('ana suspends it'),
  ]),
  'a worker fails while the launcher is made, and the gang is to start again in another size': withPolicy(
    lifeOf(aPlan().launcher().workers(1, 'ExitCode'), [
      WELL,
      WELL,
      then('a pod fails, and its digest arrives'),
      then('ana scales it', 1),
    ]),
    { scaleByRestart: true },
  ),
};

it.each(Object.entries(FINDINGS))('%s', (_, run) => {
  const world = runModel(run);
  runToEnd(world);
  expect(world.host.isOver).toBe(true);
});
