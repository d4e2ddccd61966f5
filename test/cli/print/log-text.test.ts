import { describe, expect, test } from '@jest/globals';
import { logText } from '../../../cli/print/log-text.ts';

describe('a line of a log on a terminal', () => {
  test('keeps its colours, which end with it', () => {
    expect(logText('\u001b[1;31mloss\u001b[0m\t0.1', 'pod ')).toBe(
      'pod \u001b[1;31mloss\u001b[0m\t0.1\u001b[0m',
    );
    expect(logText('loss 0.1', 'pod ')).toBe('pod loss 0.1');
  });

  test('shows control sequences as text', () => {
    expect(logText('\u001b]0;pwn\u0007\u001b[2J\u001b[1A\u009b2J\b\u202e', '')).toBe(
      '^[]0;pwn^G^[[2J^[[1A<U+009B>2J^H<U+202E>',
    );
  });

  test('lets a progress bar redraw its line, after the name of its pod', () => {
    expect(logText('\r 10%|#\r 20%|##\r', 'a ')).toBe('a \ra  10%|#\ra  20%|##');
    expect(logText('windows\r', 'a ')).toBe('a windows');
  });
});
