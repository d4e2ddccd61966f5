import { describe, expect, it } from '@jest/globals';
import { frame } from '../../../cli/top/frame.ts';
import { press } from '../../../cli/top/keys.ts';
import { differences } from '../../../cli/top/screen.ts';
import type { TopState } from '../../../cli/top/top-state.ts';
import { EmulatedScreen } from './emulated-screen.ts';
import { job, state } from './top-states.ts';

const JOBS = [
  job('train', { details: { gpus: 16, progress: 'loss 1.2' } }),
  job('big', {
    ...{ phase: 'Pending', reason: 'NeverFits', kind: 'TFJob' },
    details: { gpus: 64 },
    cause: {
      reason: 'NeverFits',
      message: 'each worker pod requests 64 nvidia.com/gpu, the largest node has 8',
    },
  }),
  job('crash', { phase: 'Failed', reason: 'PodFailed', endTime: '2026-12-01T05:01:30Z', attempt: 3 }),
];

const shown = (given: TopState) => frame(given).map((line) => line.trimEnd());

const withSize = (columns: number, rows: number) => state(JOBS, { size: { columns, rows } });

describe('the table', () => {
  it('has counts, GPUs and reasons above it, and what is the matter with each job', () => {
    const lines = shown(state(JOBS)).map((line) => line.replace(/as of \S+/, 'as of NOW'));
    expect(lines.slice(0, 4)).toEqual([
      'signalbox top  namespace ml, 3 jobs, as of NOW',
      'Pending 1  Running 1  Failed 1',
      'GPUs  Pending 64  Running 16     waits  NeverFits 1     failures  PodFailed 1',
      'live ones first, newest first',
    ]);
    expect(lines[4]).toMatch(/^ {2}NAME +KIND +PHASE +REASON +GPUS +ATTEMPT +AGE +TOOK +WHAT$/);
    expect(lines[5]).toMatch(/^> train +PyTorchJob +Running +16 +1 .* loss 1.2$/);
    expect(lines[6]).toMatch(/^ {2}big +TFJob +Pending +NeverFits +64 .* each worker pod .*…$/);
    expect(lines[7]).toMatch(/^ {2}crash .* 3 .* 1m30s$/);
    expect(lines.at(-1)).toMatch(/^Enter job {2}w why .* q quit$/);
  });

  it('says of a failed job what its logs say', () => {
    const failed = job('crash', {
      phase: 'Failed',
      reason: 'PodFailed',
      errorLine: 'ValueError: no such path',
    });
    expect(shown(state([failed]))[5]).toMatch(/^> crash .* PodFailed .* ValueError: no such path$/);
  });

  it.each([
    { columns: 200, rows: 50 },
    { columns: 79, rows: 24 },
    { columns: 40, rows: 9 },
    { columns: 20, rows: 3 },
    { columns: 1, rows: 1 },
  ])('fits $columns x $rows', ({ columns, rows }) => {
    const lines = frame(withSize(columns, rows));
    expect(lines).toHaveLength(rows);
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
  });

  it('leaves out columns in a narrow terminal, and keeps what is the matter', () => {
    const heading = shown(withSize(50, 24))[4]!;
    expect(heading).toMatch(/NAME .*PHASE .*WHAT/);
    expect(heading).not.toContain('KIND');
  });

  it('shows jobs of any number a screen at a time, with the selected one', () => {
    const jobs = Array.from({ length: 1000 }, (_, index) => job(`job-${index}`));
    const last = press(state(jobs), 'end').state;
    expect(shown(last).filter((line) => line.startsWith('>'))).toEqual([
      expect.stringMatching(/^> job-999 /),
    ]);
  });

  it('shows no control sequence of a job, and no secret', () => {
    const evil = job('evil', {
      phase: 'Failed',
      reason: 'PodFailed',
      details: {
        gpus: 0,
        cause: {
          reason: 'PodFailed',
          message: 'a\u001b[2Jb\u0007 token=ghp_abcdefghijklmnopqrstuvwxyz0123456789\nc',
        },
      },
    });
    const text = frame(state([evil], { size: { columns: 200, rows: 24 } })).join('\n');
    expect(text).toContain('a^[[2Jb^G');
    for (const hidden of ['\u001b', '\u0007', 'ghp_']) expect(text).not.toContain(hidden);
  });

  it('says why the list is old, and that no job matches', () => {
    expect(shown(state(JOBS, { trouble: 'Temporal does not answer' })).at(-1)).toBe(
      'Temporal does not answer',
    );
    expect(shown(state([]))[5]).toBe('  No jobs match.');
    expect(shown(state([], { asOf: undefined }))[5]).toBe('  Listing jobs...');
  });
});

describe('what is written', () => {
  const screen = () => new EmulatedScreen({ height: 24, width: 101 });

  it('is what has changed, and nothing if nothing has', () => {
    const [first, second] = [frame(state(JOBS)), frame(press(state(JOBS), 'j').state)];
    expect(differences(first, first)).toBe('');
    const written = differences(first, second);
    expect(written.match(/;1H/g)).toHaveLength(2);
    const terminal = screen();
    terminal.write(differences(undefined, first));
    expect(terminal.lines).toEqual(first.map((line) => line.trimEnd()));
    terminal.write(written);
    expect(terminal.lines).toEqual(second.map((line) => line.trimEnd()));
  });

  it('replaces whatever was there when it is drawn anew', () => {
    const terminal = screen();
    terminal.write('something else'.repeat(50));
    const lines = frame(state(JOBS));
    terminal.write(differences(undefined, lines));
    expect(terminal.lines).toEqual(lines.map((line) => line.trimEnd()));
  });
});
