import { describe, expect, it } from '@jest/globals';
import { errorLineIn } from '../../evidence/error-line.ts';

const PYTHON = [
  'step=3',
  'Traceback (most recent call last):',
  '  File "/app/train.py", line 3, in <module>',
  '    import torhc',
];

const TORCHRUN = [
  '[rank1]: Traceback (most recent call last):',
  '[rank1]: RuntimeError: CUDA error: an illegal memory access was encountered',
  'E1130 08:15:02 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: 1) local_rank: 0',
  'torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ',
  'error_file: <N/A>',
  'traceback : To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html',
];

describe('the line of a log that says best what went wrong is', () => {
  it.each<[what: string, lines: readonly string[], found: string]>([
    [
      'the exception below a traceback',
      [...PYTHON, "ModuleNotFoundError: No module named 'torhc'", 'wandb: run finished'],
      "ModuleNotFoundError: No module named 'torhc'",
    ],
    [
      'the last one of several',
      ['KeyError: 1', 'During handling of the above exception, another exception occurred:', 'ValueError: 2'],
      'ValueError: 2',
    ],
    ['one without words', ['loss=nan', 'AssertionError'], 'AssertionError'],
    [
      'one of a module',
      ['torch.cuda.OutOfMemoryError: CUDA out of memory.'],
      'torch.cuda.OutOfMemoryError: CUDA out of memory.',
    ],
    [
      'that of the program, not what its launcher says of it',
      TORCHRUN,
      '[rank1]: RuntimeError: CUDA error: an illegal memory access was encountered',
    ],
    [
      'that of another language',
      ['throw new Error(1)', "Error: Cannot find module '/app/x.js'", 'Node.js v24'],
      "Error: Cannot find module '/app/x.js'",
    ],
    ['with its code', ['TypeError [ERR_X]: no'], 'TypeError [ERR_X]: no'],
    ['an error that is no exception', ['a', 'CUDA error: out of memory', 'bye'], 'CUDA error: out of memory'],
    ['that of a shell', ['bash: line 1: trian: command not found'], 'bash: line 1: trian: command not found'],
    ['without colours', ['\u001b[31mValueError: x\u001b[0m'], 'ValueError: x'],
    ['without secrets', ['ValueError: token=abcdefgh12345'], 'ValueError: token=(hidden)'],
  ])('%s', (_what, lines, found) => {
    expect(errorLineIn(lines)).toBe(found);
  });

  it.each([[[]], [['step=1', 'step=2']], [['terror: none', 'MyErrors: 3 of them']]])(
    'none of %j',
    (lines) => {
      expect(errorLineIn(lines)).toBeUndefined();
    },
  );

  it('short', () => {
    expect(errorLineIn([`ValueError: ${'x '.repeat(500)}`])).toHaveLength(160);
  });
});
