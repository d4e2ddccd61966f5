import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ReadOptions, readLogFile } from '../local-node/log-reader.ts';
import { LogWriter } from '../local-node/log-writer.ts';
import { readTerminationMessage } from '../local-node/termination-message.ts';

let dir: string;
let now: Date;
let log: LogWriter;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'signalbox-log-'));
  now = new Date('2026-01-02T03:04:05.678Z');
  log = new LogWriter(join(dir, 'main', '0.log'), () => now);
});

afterEach(async () => {
  log.close();
  await rm(dir, { recursive: true, force: true });
});

const write = (text: string, stream: 'stdout' | 'stderr' = 'stdout') => log.write(stream, Buffer.from(text));

async function read(options: ReadOptions = {}): Promise<string> {
  let text = '';
  for await (const piece of readLogFile(log.path, options)) text += piece;
  return text;
}

describe('a log', () => {
  it('is kept in the format of container runtimes', async () => {
    write('one\ntw');
    write('err\n', 'stderr');
    write('o\nrest');
    log.close();
    const time = '2026-01-02T03:04:05.678000000Z';
    expect(await readFile(log.path, 'utf8')).toBe(
      `${time} stdout F one\n${time} stderr F err\n${time} stdout F two\n${time} stdout P rest\n`,
    );
  });

  it('gives back what was written, byte for byte', async () => {
    const text = `a\n\n  indented\n${'x'.repeat(40_000)}\n${'x🚂'.repeat(12_000)}\nÜmläut 🚂\nno newline at the end`;
    for (const byte of Buffer.from(text)) log.write('stdout', Buffer.from([byte]));
    log.close();
    expect(await read()).toBe(text);
  });

  it('has times only where lines begin, also if a line was written in parts', async () => {
    write(`${'x'.repeat(40_000)}\nnext\n`);
    const time = '2026-01-02T03:04:05.678000000Z';
    expect(await read({ timestamps: true })).toBe(`${time} ${'x'.repeat(40_000)}\n${time} next\n`);
  });

  it('has what ends with a carriage return at once, with its own time', async () => {
    write(' 10%\r 20%\r 3');
    const time = '2026-01-02T03:04:05.678000000Z';
    expect(await read()).toBe(' 10%\r 20%\r');
    expect(await read({ timestamps: true })).toBe(`${time}  10%\r${time}  20%\r`);
    write('0%\r\ndone\r\n');
    expect(await read()).toBe(' 10%\r 20%\r 30%\r\ndone\r\n');
  });

  it.each<[ReadOptions, string]>([
    [{ tailLines: 2 }, 'two\nthree\n'],
    [{ tailLines: 0 }, ''],
    [{ tailLines: 99 }, 'one\ntwo\nthree\n'],
    [{ limitBytes: 5 }, 'one\nt'],
    [{ tailLines: 1, timestamps: true }, '2026-01-02T03:04:15.678000000Z three\n'],
    [{ since: new Date('2026-01-02T03:04:10Z') }, 'three\n'],
    [{ stream: 'stderr' }, 'two\n'],
  ])('read with %j', async (options, expected) => {
    write('one\n');
    write('two\n', 'stderr');
    now = new Date('2026-01-02T03:04:15.678Z');
    write('three\n');
    expect(await read(options)).toBe(expected);
  });

  it('finds the tail of a file of many blocks', async () => {
    for (let i = 0; i < 20_000; i++) write(`line ${i}\n`);
    expect(await read({ tailLines: 3 })).toBe('line 19997\nline 19998\nline 19999\n');
  });

  it('is followed until it is closed', async () => {
    write('one\n');
    const pieces = readLogFile(log.path, { follow: log });
    expect((await pieces.next()).value).toBe('one\n');
    const next = pieces.next();
    write('two\n');
    expect((await next).value).toBe('two\n');
    write('three\n');
    log.close();
    expect((await pieces.next()).value).toBe('three\n');
    expect((await pieces.next()).done).toBe(true);
  });

  it('is no longer followed after its reader has closed', async () => {
    const gone = new AbortController();
    const reading = read({ follow: log, signal: gone.signal });
    gone.abort();
    expect(await reading).toBe('');
  });

  it('gives a termination message of at most 80 lines and 2048 bytes', async () => {
    for (let i = 0; i < 200; i++) write(`${i}: ${'x'.repeat(100)}\n`);
    const message = await readTerminationMessage(log.path);
    expect(Buffer.byteLength(message)).toBe(2048);
    expect(message.endsWith(`199: ${'x'.repeat(100)}\n`)).toBe(true);
  });
});
