import { describe, expect, it } from '@jest/globals';
import type { JobFact } from '../../notify/news/job-fact.ts';
import { withFacts } from '../../notify/news/timed-states.ts';
import { recordedFacts } from './recorded-states.ts';

const shownStates = async (name: string): Promise<string[]> =>
  withFacts([], await recordedFacts(name)).map(({ phase, reason, attempt }) =>
    [phase, reason ?? '-', attempt].join(' '),
  );

describe('the states of a job, from its history alone', () => {
  it.each([
    ['failed', ['Pending - 1', 'Running - 1', 'Failed PodFailed 1']],
    ['cancelled', ['Pending - 1', 'Starting ContainersNotReady 1', 'Running - 1', 'Stopped Cancelled 1']],
    [
      'gang-restarted',
      [
        'Pending - 1',
        'Starting ContainersNotReady 1',
        'Running - 1',
        'Restarting ReplacingPods 1',
        'Restarting RestartingGang 1',
        'Pending - 2',
        'Running - 2',
        'Completed - 2',
      ],
    ],
  ])('%s', async (name, states) => {
    expect(await shownStates(name)).toEqual(states);
  });

  it('have what the job said of them, if an activity recorded it', async () => {
    const states = withFacts([], await recordedFacts('failed'));
    expect(states.at(-1)?.cause).toMatchObject({
      reason: 'PodFailed',
      pod: 'failed-worker-1',
      node: 'sim-3',
    });
    const restarted = withFacts([], await recordedFacts('gang-restarted'));
    expect(restarted[3]?.cause?.message).toContain('exited with code 1');
  });

  it('begin with the event that changed something, which is their key', async () => {
    const states = withFacts([], await recordedFacts('failed'));
    expect(states.map(({ key }) => key)).toEqual(['run/1', 'run/16', 'run/21']);
  });

  it('are the same, wherever the reading of the history was interrupted', async () => {
    const facts = await recordedFacts('gang-restarted');
    const whole = withFacts([], facts);
    for (let cut = 0; cut <= facts.length; cut++)
      expect(withFacts(withFacts([], facts.slice(0, cut)), facts.slice(cut))).toEqual(whole);
  });
});

const fact = (key: string, at: number, said: Partial<JobFact>): JobFact => ({
  key,
  at: new Date(at * 1000).toISOString(),
  ...said,
});

describe('a job that Temporal closed', () => {
  const running = [
    fact('r/1', 0, { phase: 'Pending', reason: null, isFirst: true }),
    fact('r/2', 1, { phase: 'Running' }),
  ];
  const closed = fact('r/3', 2, { phase: 'Stopped', reason: 'WorkflowTerminated', isClose: true });

  it('is stopped, if its code recorded no end', () => {
    expect(withFacts([], [...running, closed]).at(-1)).toMatchObject({ phase: 'Stopped', key: 'r/3' });
  });

  it('has the end that its code recorded, if it did', () => {
    const failed = fact('r/2b', 1, { phase: 'Failed', reason: 'PodFailed' });
    expect(withFacts([], [...running, failed, closed]).at(-1)).toMatchObject({ phase: 'Failed' });
  });

  it('leaves nothing to another job of its workflow id', () => {
    const other = fact('s/1', 9, { phase: 'Pending', reason: null, isFirst: true });
    expect(withFacts(withFacts([], running), [other]).map(({ key }) => key)).toEqual(['s/1']);
  });
});

it('a program without steps is another state, whose words may change', () => {
  const begin = fact('r/1', 0, { phase: 'Running', reason: null, isFirst: true });
  const late = ['no step since 1', 'no step since 1, usually one every 5s'].map((noSteps, index) =>
    fact(`r/${index + 2}`, index + 1, { noSteps }),
  );
  const again = fact('r/9', 9, { noSteps: null });
  expect(withFacts([], [begin, ...late, again]).map(({ key }) => key)).toEqual(['r/1', 'r/2', 'r/9']);
});
