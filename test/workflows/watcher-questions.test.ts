import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApplicationFailure, CancellationScope } from '@temporalio/workflow';
import type { AskWatcherRequest } from '../../activities/ask-watcher.ts';
import { createWatcherQuestions, needsFreshDigest } from '../../workflows/watcher-questions.ts';
import { ANCHOR } from '../machines/builders.ts';
import { START } from '../machines/machine-run.ts';
import { startIdleWorkflow, type WorkflowHost } from './workflow-host.ts';

type WatcherQuestions = ReturnType<typeof createWatcherQuestions>;

let flow: WorkflowHost;
let questions: WatcherQuestions;
/** The newest question that the watcher has answered. */
let answered: number;
/** The number of warnings at each change. */
let announced: number[];

const asked = () => flow.activity('askWatcher').request as AskWatcherRequest;
const answers = (question: number) =>
  flow.runs(() => {
    answered = question;
  });
const confirm = () => flow.starts(() => questions.confirm());
const MINUTE = 60_000;
const JOB = { namespace: 'ml', name: 'resnet', anchorUid: ANCHOR, clusterId: 'cluster-1' };

beforeEach(async () => {
  answered = 0;
  announced = [];
  flow = await startIdleWorkflow();
  questions = await flow.runs(() =>
    createWatcherQuestions(JOB, {
      answered: () => answered,
      changed: () => void announced.push(questions.warnings().length),
    }),
  );
});

describe('a question to the watcher', () => {
  it('is asked on the anchor of the job, with the time', async () => {
    await confirm();
    expect(asked()).toEqual({ ...JOB, at: START });
  });

  it('is answered by a digest from after it, not from before', async () => {
    answered = START - 1;
    const confirmation = await confirm();
    await flow.activity('askWatcher').completes();
    await answers(START - 1);
    expect(confirmation.isOver).toBe(false);
    await answers(START);
    expect(confirmation.isOver).toBe(true);
    expect(flow.timers).toEqual([]);
  });

  it('is not answered before it was asked', async () => {
    const confirmation = await confirm();
    await answers(START);
    expect(confirmation.isOver).toBe(false);
    await flow.activity('askWatcher').completes();
    expect(confirmation.isOver).toBe(true);
  });

  it('is repeated every ten minutes, in case it was lost', async () => {
    const confirmation = await confirm();
    await flow.activity('askWatcher').completes();
    await flow.passes(10 * MINUTE);
    expect(asked().at).toBe(START + 10 * MINUTE);
    await flow.activity('askWatcher').completes();
    await answers(START + 10 * MINUTE - 1);
    expect(confirmation.isOver).toBe(false);
    await answers(START + 10 * MINUTE);
    expect(confirmation.isOver).toBe(true);
  });

  it('is repeated even after a failure', async () => {
    const confirmation = await confirm();
    await flow.activity('askWatcher').fails(ApplicationFailure.nonRetryable('no right', 'ClusterRefused'));
    expect(confirmation.isOver).toBe(false);
    await flow.passes(10 * MINUTE);
    expect(asked().at).toBe(START + 10 * MINUTE);
  });
});

describe('an open question', () => {
  const warning =
    'the watcher has not answered a question of 2026-01-01T00:00:00Z about the job’s state; policy limits that depend on the answer wait. `signalbox doctor` says whether a watcher runs, and whether it hears of changes in the cluster';

  it('is a warning, with the time of the first question', async () => {
    expect(questions.warnings()).toEqual([]);
    await confirm();
    await flow.activity('askWatcher').completes();
    await flow.passes(25 * MINUTE);
    await confirm();
    expect(questions.warnings()).toEqual([warning]);
  });

  it('announces when the warning appears and disappears', async () => {
    await confirm();
    expect(announced).toEqual([1]);
    await flow.activity('askWatcher').completes();
    await answers(START);
    expect(announced).toEqual([1, 0]);
  });

  it('is withdrawn when it is cancelled', async () => {
    const scope = await flow.runs(() => new CancellationScope());
    const confirmation = await flow.starts(() => scope.run(() => questions.confirm()));
    await flow.runs(() => scope.cancel());
    expect(confirmation.error).toMatchObject({ name: 'CancelledFailure' });
    expect(questions.warnings()).toEqual([]);
    expect(flow.activities).toEqual([]);
    expect(flow.timers).toEqual([]);
  });
});

it('the warning stays while one of two questions of the same millisecond is open', async () => {
  const scope = await flow.runs(() => new CancellationScope());
  await confirm();
  await flow.starts(() => scope.run(() => questions.confirm()));
  await flow.runs(() => scope.cancel());
  expect(questions.warnings()).toHaveLength(1);
});

describe('a timer needs an answer', () => {
  it.each(['stall', 'startUp', 'recovery', 'nodeLost'])('if it judges a job by its digest: %s', (name) => {
    expect(needsFreshDigest(name)).toBe(true);
  });

  it.each(['activeDeadline', 'backOff', 'hold'])('but not if it depends on time alone: %s', (name) => {
    expect(needsFreshDigest(name)).toBe(false);
  });
});
