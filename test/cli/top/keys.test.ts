import { describe, expect, it } from '@jest/globals';
import { frame } from '../../../cli/top/frame.ts';
import { press, type TopStep } from '../../../cli/top/keys.ts';
import { keyName } from '../../../cli/top/terminal.ts';
import { shownJobs, type TopState, withSelection } from '../../../cli/top/top-state.ts';
import { job, state } from './top-states.ts';

const JOBS = [
  job('b', { details: { gpus: 8 }, attempt: 2 }),
  job('a', { phase: 'Pending', reason: 'WaitingForGang', details: { gpus: 64 } }),
  job('c', { phase: 'Failed', reason: 'PodFailed' }),
];

const pressed = (keys: readonly string[], from: TopState = state(JOBS)): TopStep => {
  let step: TopStep = { state: from };
  for (const key of keys) step = press(step.state, key);
  return step;
};

const type = (text: string) => [...text];
const names = (given: TopState) => shownJobs(given).map(({ name }) => name);
const selected = ({ state: { selected } }: TopStep) => selected?.split(' ')[0];

describe('moves', () => {
  it.each([
    { keys: [], is: 'b' },
    { keys: ['down'], is: 'a' },
    { keys: ['j', 'j', 'j', 'j'], is: 'c' },
    { keys: ['end', 'up'], is: 'a' },
    { keys: ['G', 'g'], is: 'b' },
    { keys: ['pagedown'], is: 'c' },
  ])('$keys selects $is', ({ keys, is }) => {
    expect(selected(pressed(keys))).toBe(`job/ml/${is}`);
  });

  it('follows the selected job when the list changes, and stays at its place when the job is gone', () => {
    const { state: before } = pressed(['j']);
    const moved = withSelection({ ...before, jobs: [job('new'), ...JOBS] });
    expect(moved).toMatchObject({ index: 2, selected: 'job/ml/a run of a' });
    const gone = withSelection({ ...before, jobs: [JOBS[0]!, JOBS[2]!] });
    expect(gone).toMatchObject({ index: 1, selected: 'job/ml/c run of c' });
    expect(withSelection({ ...before, jobs: [] })).toMatchObject({ index: 0, selected: undefined });
  });
});

describe('orders', () => {
  it.each([
    { keys: [], sorted: ['b', 'a', 'c'] },
    { keys: ['o'], by: 'NAME', sorted: ['a', 'b', 'c'] },
    { keys: ['o', 'r'], by: 'NAME', sorted: ['c', 'b', 'a'] },
    { keys: ['o', 'o', 'o'], by: 'PHASE', sorted: ['a', 'b', 'c'] },
    { keys: ['o', 'o', 'o', 'o', 'o'], by: 'GPUS', sorted: ['a', 'b', 'c'] },
    { keys: ['O', 'O', 'O', 'O'], by: 'ATTEMPT', sorted: ['b', 'a', 'c'] },
    { keys: ['o', 'O', 'O', 'o'], sorted: ['b', 'a', 'c'] },
  ])('$keys sort by $by', ({ keys, by, sorted }) => {
    const { state: now } = pressed(keys);
    expect(now.sort.by).toBe(by);
    expect(names(now)).toEqual(sorted);
  });
});

describe('requests', () => {
  it.each([
    { keys: ['return'], request: { is: 'open', page: 'job' } },
    { keys: ['w'], request: { is: 'open', page: 'why' } },
    { keys: ['l'], request: { is: 'open', page: 'log' } },
    { keys: ['l', 'q'], request: { is: 'close' } },
    { keys: ['q'], request: { is: 'quit', exit: 'ok' } },
    { keys: ['l', 'ctrl+c'], request: { is: 'quit', exit: 'interrupted' } },
    { keys: ['/', ...type('-p x'), 'ctrl+c'], request: { is: 'quit', exit: 'interrupted' } },
    { keys: ['ctrl+z'], request: { is: 'suspend' } },
    {
      keys: ['/', ...type(' --phase failedx'), 'backspace', 'return'],
      request: { is: 'filter', text: '--phase failed' },
    },
  ])('$keys', ({ keys, request }) => {
    expect(pressed(keys).request).toMatchObject(request);
  });

  it('opens nothing where there is no job', () => {
    expect(pressed(['return'], state([])).request).toBeUndefined();
    expect(pressed(['s'], state([])).state.prompt).toBeUndefined();
  });
});

describe('a stop', () => {
  it('is requested once it has a reason, and is confirmed', () => {
    const asked = ['s', ...type('wrong data'), 'return'];
    expect(pressed(asked).request).toBeUndefined();
    expect(frame(pressed(asked).state).at(-1)).toContain(
      'Stop job/ml/b, which is Running, because: wrong data. Sure?',
    );
    expect(pressed([...asked, 'y']).request).toMatchObject({
      is: 'stop',
      why: 'wrong data',
      job: { name: 'b' },
    });
  });

  it.each([
    { keys: ['s', 'return', 'return'], why: 'has no reason' },
    { keys: ['s', ...type('q'), 'escape'], why: 'is given up' },
    { keys: ['s', ...type('q'), 'return', 'n'], why: 'is not confirmed' },
    { keys: ['s', ...type('q'), 'return', 'return', 'x', 'Y'], why: 'is confirmed by another key' },
    { keys: ['G', 's', ...type('q'), 'return', 'y'], why: 'is of a job that has ended' },
  ])('is not requested if it $why', ({ keys }) => {
    for (let length = 1; length <= keys.length; length++)
      expect(pressed(keys.slice(0, length)).request?.is).not.toBe('stop');
  });

  it('is of the job that was selected when it was asked', () => {
    const { state: asked } = pressed(['s', ...type('q'), 'return']);
    const moved = withSelection({ ...asked, jobs: JOBS.slice(1) });
    expect(press(moved, 'y').request).toMatchObject({ job: { name: 'b' } });
  });
});

describe('a page', () => {
  const page = (of: 'job' | 'log', down?: number) =>
    state(JOBS, {
      size: { columns: 20, rows: 6 },
      page: { of, title: 'a page', lines: Array.from({ length: 10 }, (_, index) => `line ${index}`), down },
    });
  const lines = (given: TopState) => frame(given).slice(1, -1);

  it('scrolls', () => {
    expect(lines(page('job', 0))).toEqual(['line 0', 'line 1', 'line 2', 'line 3']);
    expect(lines(pressed(['j', 'pagedown'], page('job', 0)).state)).toContain('line 5');
    expect(lines(pressed(['G'], page('job', 0)).state).at(-1)).toBe('line 9');
    expect(lines(pressed(['G', 'k', 'g'], page('job', 0)).state)[0]).toBe('line 0');
  });

  it('of a log follows what is written, unless it is scrolled up', () => {
    const grown = (given: TopState): TopState => ({
      ...given,
      page: { ...given.page!, lines: [...given.page!.lines, 'one more'] },
    });
    expect(lines(grown(page('log'))).at(-1)).toBe('one more');
    const up = pressed(['k'], page('log')).state;
    expect(lines(grown(up))).toEqual(lines(up));
    expect(lines(grown(pressed(['j'], up).state)).at(-1)).toBe('one more');
  });

  it('breaks long lines', () => {
    const long = {
      ...page('job', 0),
      page: { of: 'job' as const, title: '', lines: ['x'.repeat(45)], down: 0 },
    };
    expect(lines(long).map(({ length }) => length)).toEqual([20, 20, 5, 0]);
  });

  it('of keys names all of them', () => {
    expect(pressed(['?']).state.page?.lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^ {2}s +stop it/),
        expect.stringMatching(/^ {2}Esc, q, left/),
      ]),
    );
  });
});

it.each([
  ['a', { name: 'a' }, 'a'],
  ['A', { name: 'a', shift: true }, 'A'],
  ['é', {}, 'é'],
  ['\r', { name: 'return' }, 'return'],
  ['\n', { name: 'enter' }, 'return'],
  ['\u007f', { name: 'backspace' }, 'backspace'],
  ['\u0003', { name: 'c', ctrl: true }, 'ctrl+c'],
  [undefined, { name: 'up' }, 'up'],
  ['\u001b', { name: 'escape', meta: true }, 'escape'],
  ['\u001bx', { name: 'x', meta: true }, 'meta+x'],
])('a terminal says %j, %j for the key %s', (text, key, name) => {
  expect(keyName(text, key)).toBe(name);
});
