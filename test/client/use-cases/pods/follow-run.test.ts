import { describe, expect, it } from '@jest/globals';
import { readRun } from '../../../../client/use-cases/pods/follow-run.ts';
import type { LogOptions } from '../../../../cluster/client.ts';
import { at, broken, type LogParts, streamOf } from '../../../cluster/log-streams.ts';

const run = { namespace: 'default', pod: 'resnet-worker-0', container: 'pytorch' };

async function read(
  answers: readonly LogParts[],
  options: { tailLines?: number; timestamps?: boolean } = {},
) {
  const asked: LogOptions[] = [];
  const log = async (_namespace: string, _pod: string, how: LogOptions = {}) => {
    asked.push(how);
    return streamOf(answers[asked.length - 1] ?? []);
  };
  const lines: string[] = [];
  const { signal } = new AbortController();
  for await (const { text } of readRun({ log }, run, { ...options, signal })) lines.push(text);
  return { lines, asked };
}

describe('following a container log whose stream breaks', () => {
  it('loses no line with the same time as another', async () => {
    const { lines } = await read([
      [at('1', 'a'), broken],
      [at('1', 'a'), at('2', 'b'), at('2', 'c'), at('2', 'd')],
    ]);
    expect(lines).toEqual(['a', 'b', 'c', 'd']);
  });

  it('loses no line whose time has fewer digits', async () => {
    const { lines } = await read([
      [at('1', 'a'), broken],
      [at('1', 'a'), at('12', 'b'), at('2', 'c')],
    ]);
    expect(lines).toEqual(['a', 'b', 'c']);
  });

  it('repeats no line, and requests only newer ones', async () => {
    const { lines, asked } = await read(
      [
        [at('1', 'a'), at('1', 'b'), broken],
        [at('1', 'a'), at('1', 'b'), at('1', 'c')],
      ],
      { tailLines: 2 },
    );
    expect(lines).toEqual(['a', 'b', 'c']);
    expect(asked).toMatchObject([{ tailLines: 2 }, { sinceTime: '2026-01-01T00:00:00.1Z' }]);
    expect(asked[1]!.tailLines).toBeUndefined();
  });

  it('repeats its first request if nothing was received yet', async () => {
    const { asked } = await read([[broken], [at('1', 'a')]], { tailLines: 2 });
    expect(asked).toMatchObject([{ tailLines: 2 }, { tailLines: 2 }]);
  });

  it('throws the answer of the kubelet unchanged', async () => {
    const { lines } = await read([
      ['unable to retrieve container logs\n', at('1', 'a'), broken],
      [at('1', 'a')],
    ]);
    expect(lines).toEqual(['unable to retrieve container logs', 'a']);
  });

  it('returns times on request', async () => {
    const { lines } = await read([[at('1', 'a')]], { timestamps: true });
    expect(lines).toEqual(['2026-01-01T00:00:00.1Z a']);
  });
});
