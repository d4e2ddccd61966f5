import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const PROGRAM = fileURLToPath(new URL('archive-long-history.ts', import.meta.url));

/** `heapMb`: enough for two runs as decoded events; the program would fail if it held all of them. */
it.each([
  { runs: 1, events: 50_000, heapMb: 256 },
  { runs: 16, events: 10_000, heapMb: 192 },
])(
  '$runs runs of $events events are archived and read with a heap of $heapMb MB',
  async ({ runs, events, heapMb }) => {
    const flags = [`--max-old-space-size=${heapMb}`, '--disable-warning=ExperimentalWarning'];
    const args = [...flags, PROGRAM, String(runs), String(events)];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const expected = Array.from({ length: runs }, (_, index) => ({
      ...{ runId: `run-${index + 1}`, events, last: String(events) },
    }));
    expect(JSON.parse(stdout)).toEqual(expected);
  },
  300_000,
);
