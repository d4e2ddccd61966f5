import { describe, expect, it } from '@jest/globals';
import { isReadBack, withAttempt } from '../../notify/news/enough-facts.ts';
import type { JobFact } from '../../notify/news/job-fact.ts';
import { nextDue, noticesOfJob } from '../../notify/news/notices-of.ts';
import { type TimedState, withFacts } from '../../notify/news/timed-states.ts';
import { type When, whenSchema } from '../../notify/routes/when.ts';
import { recordedFacts } from './recorded-states.ts';

const JOB = { workflowId: 'job/ml/train', runId: 'r', namespace: 'ml', name: 'train', kind: 'PyTorchJob' };
const MINUTE = 60_000;

const when = (given: object): When => whenSchema.parse(given);

/** `0 Pending`, `3 Running`, `4 Pending WaitingForGang`: minute, phase, reason. */
const states = (...given: readonly string[]): TimedState[] =>
  given.map((text, index) => {
    const [minute, phase, reason] = text.split(' ');
    const at = new Date(Number(minute) * MINUTE).toISOString();
    return {
      key: `r/${index + 1}`,
      at,
      phase: phase as 'Pending',
      attempt: 1,
      ...(reason ? { reason: reason as 'PodFailed' } : {}),
    };
  });

/** The keys of what is told at a minute. */
const told = (course: readonly TimedState[], asked: object, minute: number, from = 0): string[] =>
  noticesOfJob(JOB, course, { when: when(asked), from: from * MINUTE, now: minute * MINUTE }).map(
    ({ key }) => key,
  );

describe('what is told of a job', () => {
  const failed = states('0 Pending', '1 Running', '5 Failed PodFailed');

  it.each<readonly [string, object, readonly string[]]>([
    ['a phase', { phase: 'Failed' }, ['r/3']],
    ['each of several phases', { phase: ['Running', 'Failed'] }, ['r/2', 'r/3']],
    ['a reason', { reason: 'PodFailed' }, ['r/3']],
    ['a class of reasons', { class: ['program'] }, ['r/3']],
    ['a phase and another class', { phase: 'Failed', class: 'infrastructure' }, []],
    ['another phase', { phase: 'Stopped' }, []],
  ])('%s', (_, asked, keys) => {
    expect(told(failed, asked, 6)).toEqual(keys);
  });

  it('each restart, but one restart once', () => {
    const course = states(
      '0 Running',
      '1 Restarting ReplacingPods',
      '2 Restarting RestartingGang',
      '3 Running',
      '4 Restarting',
    );
    expect(told(course, { phase: 'Restarting' }, 5)).toEqual(['r/2', 'r/5']);
    expect(told(course, { reason: ['ReplacingPods', 'RestartingGang'] }, 5)).toEqual(['r/2', 'r/3']);
  });

  it('nothing that was before the notifier began', () => {
    expect(told(failed, { phase: ['Running', 'Failed'] }, 6, 2)).toEqual(['r/3']);
  });
});

describe('what must hold for some time', () => {
  const asked = { phase: ['Pending', 'Starting'], for: '10m' };

  it('is told when it has, once, with the event that began it', () => {
    const course = states('0 Pending', '4 Pending WaitingForGang', '6 Starting');
    expect(told(course, asked, 9)).toEqual([]);
    expect(told(course, asked, 10)).toEqual(['r/1']);
    expect(told(course, asked, 400)).toEqual(['r/1']);
  });

  it('is told to nobody if it ends a minute before', () => {
    expect(told(states('0 Pending', '9 Running'), asked, 60)).toEqual([]);
  });

  it('is told also if it ended after that time, before somebody looked', () => {
    expect(told(states('0 Pending', '11 Running'), asked, 60)).toEqual(['r/1']);
  });

  it('is due at a time that the notifier knows in advance', () => {
    expect(nextDue(states('0 Running', '3 Pending'), when(asked), 5 * MINUTE)).toBe(13 * MINUTE);
    expect(nextDue(states('0 Pending', '3 Running'), when(asked), 5 * MINUTE)).toBeUndefined();
  });

  it('was told by another notifier, if it was due before that one ended', () => {
    expect(told(states('0 Pending'), asked, 30, 20)).toEqual([]);
    expect(told(states('0 Pending'), asked, 30, 10)).toEqual(['r/1']);
  });
});

describe('a program that makes no steps', () => {
  const silent = (...minutes: readonly number[]): TimedState[] =>
    states(...minutes.map((minute) => `${minute} Running`)).map((state, index) =>
      index % 2 === 1 ? { ...state, noSteps: 'no step since 00:01, usually one every 5s' } : state,
    );

  it('is told with the sentence of the watcher', () => {
    const [notice] = noticesOfJob(JOB, silent(0, 2), {
      when: when({ silent: true, for: '10m' }),
      from: 0,
      now: 12 * MINUTE,
    });
    expect(notice).toMatchObject({
      key: 'r/2',
      message: expect.stringContaining('no step since'),
      forMs: 10 * MINUTE,
    });
  });

  it('is told to nobody if it goes on', () => {
    expect(told(silent(0, 2, 8), { silent: true, for: '10m' }, 60)).toEqual([]);
  });
});

describe('a budget of restarts', () => {
  const used = (count: number, of?: string) => ({
    budget: { used: count, allowed: 4, ...(of ? { of } : {}) },
  });
  const course = states(
    '0 Running',
    '1 Restarting',
    '2 Running',
    '3 Restarting',
    '4 Running',
    '5 Restarting',
  ).map((state, index) => ({ ...state, ...(index > 0 ? used(Math.ceil(index / 2), 'crash') : {}) }));

  it('is told once, when so much of it is used', () => {
    const [notice, ...others] = noticesOfJob(JOB, course, {
      when: when({ budgetUsed: 0.5 }),
      from: 0,
      now: 9 * MINUTE,
    });
    expect(notice).toMatchObject({
      key: 'r/4',
      message: '3 of 4 restarts after failures of the class crash are used.',
    });
    expect(others).toEqual([]);
    expect(told(course, { budgetUsed: 1 }, 9)).toEqual([]);
  });

  it('is in the status that a restart records', async () => {
    const found = withFacts([], await recordedFacts('never-placed')).find(({ budget }) => budget);
    expect(found?.budget).toEqual({ used: 1, allowed: 1, of: 'startUp' });
  });
});

it('a notice has what happened, what helps, and hides secrets', async () => {
  const course = withFacts([], await recordedFacts('failed'));
  const secret = course.map((state) =>
    state.cause
      ? { ...state, cause: { ...state.cause, message: 'died with --password hunter2hunter2' } }
      : state,
  );
  const [plain] = noticesOfJob(JOB, course, { when: when({ phase: 'Failed' }), from: 0, now: Date.now() });
  expect(plain).toMatchObject({
    message: expect.stringContaining('exited with code 3'),
    job: { node: 'sim-3', reason: 'PodFailed', attempt: 1 },
  });
  expect(plain?.remedy).toContain('signalbox');
  const [hidden] = noticesOfJob(JOB, secret, { when: when({ phase: 'Failed' }), from: 0, now: Date.now() });
  expect(hidden?.message).toBe('died with --password (hidden)');
});

describe('how far back a history is read', () => {
  const whens = [when({ phase: 'Pending', for: '30m' })];
  const facts: readonly JobFact[] = [
    { phase: 'Pending', reason: null, attempt: 1, isFirst: true },
    { phase: 'Running' },
    { phase: 'Restarting', reason: 'RestartingGang' },
    { phase: 'Pending', reason: null, attempt: 2 },
    { reason: 'WaitingForGang' },
    { reason: 'Unschedulable' },
  ].map(
    (said, minute) =>
      ({ key: `r/${minute}`, at: new Date(minute * MINUTE).toISOString(), ...said }) as JobFact,
  );
  const read = (count: number) => facts.slice(-count);

  it('to where each stretch that lasts has begun, so that its key is always the same', () => {
    const enough = [1, 2, 3, 4, 5, 6].map((count) => isReadBack(read(count), { whens, from: 10 * MINUTE }));
    expect(enough).toEqual([false, false, false, true, true, true]);
    const keys = [4, 5, 6].map((count) => {
      const course = withFacts([], read(count));
      return noticesOfJob(JOB, course, { when: whens[0]!, from: 10 * MINUTE, now: 60 * MINUTE }).map(
        ({ key }) => key,
      );
    });
    expect(keys).toEqual([['r/3'], ['r/3'], ['r/3']]);
  });

  it('to before the time from which on things are news', () => {
    expect(isReadBack(read(4), { whens, from: 1 * MINUTE })).toBe(false);
    expect(isReadBack(read(6), { whens, from: 0 })).toBe(true);
  });

  it('to the last word of the watcher about steps, if a route asks for that', () => {
    const silent = [when({ silent: true })];
    expect(isReadBack(read(5), { whens: silent, from: 10 * MINUTE })).toBe(false);
  });

  it('and the attempt is known that only an earlier event says', () => {
    expect(withAttempt(read(1), 2)[0]?.attempt).toBe(2);
    expect(withAttempt(read(4), 2)[0]?.attempt).toBe(1);
  });
});
