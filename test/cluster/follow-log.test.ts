import { describe, expect, it } from '@jest/globals';
import type { LogOptions } from '../../cluster/client.ts';
import { CAUGHT_UP, followLog } from '../../cluster/follow-log.ts';
import { type LogLine, logLines } from '../../cluster/log-lines.ts';
import { at, broken, type LogParts, streamOf } from './log-streams.ts';

const source = { namespace: 'default', pod: 'resnet-worker-0', container: 'pytorch' };

/** What the API server gives for each request, one after the other; an error is a stream that broke. */
type Answer = LogParts | Error;

async function follow(...answers: Answer[]) {
  const over = new AbortController();
  const asked: LogOptions[] = [];
  const troubles: unknown[] = [];
  const log = async (_namespace: string, _pod: string, options: LogOptions = {}) => {
    asked.push(options);
    const answer = answers.shift() ?? [];
    if (answers.length <= 1) over.abort();
    if (answer instanceof Error) throw answer;
    return streamOf(answer);
  };
  const lines: string[] = [];
  const { signal } = new AbortController();
  const following = {
    signal,
    over: over.signal,
    onError: (error: unknown) => troubles.push(error) * 0,
  };
  for await (const line of followLog({ log }, source, following)) {
    lines.push(line === CAUGHT_UP ? line : line.text);
  }
  return { lines, asked, troubles };
}

describe('following a log', () => {
  it('begins with the existing lines, and continues after them', async () => {
    const { lines, asked } = await follow(
      [at('1', 'a'), at('2', 'b')],
      [at('1', 'a'), at('2', 'b'), at('3', 'c')],
    );
    expect(lines).toEqual(['a', 'b', CAUGHT_UP, 'c']);
    expect(asked).toMatchObject([
      { follow: false, tailLines: 2_000, container: 'pytorch', timestamps: true },
      { follow: true, tailLines: undefined, sinceTime: '2026-01-01T00:00:00.2Z' },
    ]);
  });

  it('neither loses nor repeats lines when a stream breaks, also with equal times', async () => {
    const { lines, troubles } = await follow(
      [at('1', 'a')],
      [at('1', 'a'), at('25', 'b'), at('25', 'b'), '2026-01-01T00:00:00.25Z cut', broken],
      [at('1', 'a'), at('250', 'b'), at('250', 'b'), at('250', 'cut off'), at('3', 'd')],
    );
    expect(lines).toEqual(['a', CAUGHT_UP, 'b', 'b', 'cut off', 'd']);
    expect(troubles).toEqual([broken]);
  });

  it('waits for a log that does not exist yet', async () => {
    const { lines } = await follow(broken, [], [at('1', 'a')]);
    expect(lines).toEqual([CAUGHT_UP, 'a']);
  });
});

describe('the lines of a log', () => {
  async function linesOf(...parts: string[]): Promise<string[]> {
    const lines: string[] = [];
    for await (const { text } of logLines(streamOf(parts))) lines.push(text);
    return lines;
  }

  it('are joined from chunks', async () => {
    expect(await linesOf('2026-01-01T00:00:00Z on', 'e\n2026-01-01T00:00:01Z tw', 'o')).toEqual([
      'one',
      'two',
    ]);
  });

  it('end at a carriage return, too, with the time of their line', async () => {
    const parts: LogLine[] = [];
    const bar = ['2026-01-01T00:00:00Z \r 10%|#', ' | step=1\r 20%|##  | step=2', '\r 30%', '\n'];
    for await (const line of logLines(streamOf([...bar, at('1', 'crlf\r'), at('2', 'next')])))
      parts.push(line);
    expect(parts.map(({ text }) => text)).toEqual([
      ...['', ' 10%|# | step=1', ' 20%|##  | step=2', ' 30%', 'crlf', 'next'],
    ]);
    expect(new Set(parts.slice(0, 4).map(({ time }) => time))).toEqual(new Set(['2026-01-01T00:00:00Z']));
  });

  it('may have times of their own after a carriage return, as on the local node', async () => {
    const time = (second: number) => `2026-01-01T00:00:0${second}.000000000Z`;
    const parts: LogLine[] = [];
    for await (const line of logLines(streamOf([`${time(1)} a\r${time(2)} b\r${time(3)} \n`])))
      parts.push(line);
    expect(parts).toEqual([
      { time: time(1), text: 'a' },
      { time: time(2), text: 'b' },
    ]);
  });

  it('are delivered before their line ends', async () => {
    async function* endless() {
      yield Buffer.from('2026-01-01T00:00:00Z \r step=1\r step=2\r st');
      await new Promise(() => undefined);
    }
    const lines = logLines(endless());
    const texts = [await lines.next(), await lines.next(), await lines.next()];
    expect(texts.map(({ value }) => value.text)).toEqual(['', ' step=1', ' step=2']);
  });

  it('are truncated, however long they are', async () => {
    const lines = await linesOf(
      '2026-01-01T00:00:00Z ',
      ...Array<string>(100).fill('x'.repeat(10_000)),
      `\n${at('1', 'next')}`,
    );
    expect(lines.map(({ length }) => length)).toEqual([16 * 1024 - 21, 4]);
  });

  it('leave out lines without a time: those are not of the program', async () => {
    expect(await linesOf('unable to retrieve container logs\n', at('1', 'a'))).toEqual(['a']);
  });
});
