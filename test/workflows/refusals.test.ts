import { beforeEach, describe, expect, it } from '@jest/globals';
import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import { type PassingRefusal, REFUSED_FOR_NOW } from '../../contracts/refusals.ts';
import { retryWhileRefused } from '../../workflows/refusals.ts';
import { refusal } from './some-refusal.ts';
import { startIdleWorkflow, type WorkflowHost } from './workflow-host.ts';

let flow: WorkflowHost;
/** The errors of the next tries; after them `work` succeeds. */
let answers: unknown[];
/** The argument of each try. */
let tries: boolean[];
let refusals: PassingRefusal[];
let isWoken: boolean;

const work = async (again: boolean) => {
  tries.push(again);
  const answer = answers.shift();
  if (answer) throw answer;
  return 'done';
};

const begin = (refused = (one: PassingRefusal) => void refusals.push(one)) =>
  flow.starts(() => retryWhileRefused(work, { refused, isWoken: () => isWoken }));

beforeEach(async () => {
  [tries, refusals, isWoken] = [[], [], false];
  flow = await startIdleWorkflow();
});

describe('work that the API server refuses for now', () => {
  it('is retried until it is accepted, with pauses that double up to a minute', async () => {
    answers = Array.from({ length: 8 }, () => refusal());
    const retry = await begin();
    const pauses: number[] = [];
    for (let [timer] = flow.timers; timer; [timer] = flow.timers) {
      pauses.push((timer.at - flow.now) / 1000);
      await flow.passes(timer.at - flow.now);
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(retry).toEqual({ isOver: true, result: 'done' });
  });

  it('reports each refusal with the API server’s own message', async () => {
    answers = [refusal({ message: 'exceeded quota' }), refusal({ message: 'no right', reason: 'Forbidden' })];
    await begin();
    expect(refusals).toEqual([{ reason: 'QuotaExceeded', message: 'exceeded quota', isLimited: true }]);
    await flow.passes(1_000);
    expect(refusals[1]).toMatchObject({ reason: 'Forbidden', message: 'no right' });
  });

  it('knows from the second try on that it is a retry', async () => {
    answers = [refusal(), refusal()];
    await begin();
    await flow.passes(10_000);
    expect(tries).toEqual([false, true, true]);
  });

  it('waits for as long as the API server asks, if that is longer', async () => {
    answers = [refusal({ retryAfterMs: 90_000 }), refusal({ retryAfterMs: 10 })];
    await begin();
    await flow.passes(89_999);
    expect(tries).toHaveLength(1);
    await flow.passes(1);
    expect(tries).toHaveLength(2);
    await flow.passes(1_999);
    expect(tries).toHaveLength(2);
    await flow.passes(1);
    expect(tries).toHaveLength(3);
  });

  it('is retried at once when it is woken', async () => {
    answers = [refusal()];
    const retry = await begin();
    await flow.runs(() => {
      isWoken = true;
    });
    expect(retry.result).toBe('done');
    expect(flow.timers).toEqual([]);
  });

  it('ends with an error that the listener throws', async () => {
    answers = [refusal()];
    const enough = new Error('refused for too long');
    const retry = await begin(() => {
      throw enough;
    });
    expect(retry).toEqual({ isOver: true, error: enough });
    expect(flow.timers).toEqual([]);
  });
});

describe('any other failure', () => {
  const final = ApplicationFailure.nonRetryable('invalid', 'ClusterRefused');
  const likeRefusal = Object.assign(new Error('it only looks so'), {
    type: REFUSED_FOR_NOW,
    details: refusal().details,
  });
  const failed = new ActivityFailure('failed', 'drain', '1', 'NON_RETRYABLE_FAILURE', undefined, final);

  it.each([final, likeRefusal, failed])('is thrown unchanged, without a retry (%s)', async (error) => {
    answers = [error];
    expect(await begin()).toEqual({ isOver: true, error });
    expect([tries, refusals]).toEqual([[false], []]);
  });

  it('is also thrown after a refusal', async () => {
    answers = [refusal(), final];
    const retry = await begin();
    await flow.passes(1_000);
    expect(retry.error).toBe(final);
  });
});
