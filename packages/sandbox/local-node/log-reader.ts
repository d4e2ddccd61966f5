import { type FileHandle, open } from 'node:fs/promises';
import type { LogWriter, Stream } from './log-writer.ts';

export interface ReadOptions {
  readonly tailLines?: number;
  readonly since?: Date;
  readonly limitBytes?: number;
  readonly timestamps?: boolean;
  readonly stream?: Stream;
  /** The writer; set to follow the log until it is closed. */
  readonly follow?: LogWriter;
  readonly signal?: AbortSignal;
}

const BLOCK = 64 * 1024;

/** Yields a container's log in chunks, as `kubectl logs` expects it. */
export async function* readLogFile(path: string, options: ReadOptions = {}): AsyncGenerator<string> {
  const file = await open(path, 'r');
  const render = renderer(options);
  let left = options.limitBytes ?? Number.POSITIVE_INFINITY;
  try {
    const from = options.tailLines === undefined ? 0 : await tailOffset(file, options.tailLines);
    for await (const lines of blocksOfLines(file, from, options)) {
      const text = Buffer.from(lines.map(render).join(''));
      if (text.length === 0) continue;
      yield (text.length > left ? text.subarray(0, left) : text).toString();
      left -= text.length;
      if (left <= 0) return;
    }
  } finally {
    await file.close();
  }
}

/** Returns the offset of the last `lines` lines, reading from the end of the file. */
async function tailOffset(file: FileHandle, lines: number): Promise<number> {
  const { size } = await file.stat();
  if (lines <= 0) return size;
  let found = 0;
  for (let end = size; end > 0; end -= BLOCK) {
    const start = Math.max(0, end - BLOCK);
    const block = Buffer.alloc(end - start);
    await file.read(block, 0, block.length, start);
    for (let i = block.length - 1; i >= 0; i--) {
      // The final newline does not begin a line.
      if (block[i] === 0x0a && start + i !== size - 1 && ++found === lines) return start + i + 1;
    }
  }
  return 0;
}

async function* blocksOfLines(
  file: FileHandle,
  from: number,
  { follow, signal }: ReadOptions,
): AsyncGenerator<string[]> {
  const block = Buffer.alloc(BLOCK);
  let position = from;
  let rest = Buffer.alloc(0);
  for (;;) {
    // Checked before reading, so that everything written before the end is still read.
    const isLast = !follow || follow.isClosed;
    const { bytesRead } = await file.read(block, 0, BLOCK, position);
    position += bytesRead;
    if (bytesRead > 0) {
      const bytes = Buffer.concat([rest, block.subarray(0, bytesRead)]);
      const end = bytes.lastIndexOf(0x0a) + 1;
      rest = bytes.subarray(end);
      if (end > 0)
        yield bytes
          .subarray(0, end - 1)
          .toString()
          .split('\n');
    } else if (isLast || signal?.aborted) {
      return;
    } else {
      await grownOrClosed(follow, { file, position, signal });
    }
  }
}

async function grownOrClosed(
  log: LogWriter,
  { file, position, signal }: { file: FileHandle; position: number; signal?: AbortSignal },
): Promise<void> {
  const waiting = new AbortController();
  const woken = new Promise<void>((resolve) => {
    const wake = () => resolve();
    log.once('grown', wake);
    log.once('closed', wake);
    signal?.addEventListener('abort', wake, { once: true });
    waiting.signal.addEventListener('abort', () => {
      log.off('grown', wake);
      log.off('closed', wake);
      signal?.removeEventListener('abort', wake);
      resolve();
    });
  });
  // It may have grown between the last read and now.
  if (log.isClosed || signal?.aborted || (await file.stat()).size > position) waiting.abort();
  await woken;
  waiting.abort();
}

/** Like a kubelet, adds the time to the beginning of a line, not to the parts that a long line was written in. */
function renderer({ since, timestamps, stream }: ReadOptions): (line: string) => string {
  let isNewLine = true;
  return (line) => {
    const parts = /^(\S+) (stdout|stderr) ([FPR]) ?(.*)$/s.exec(line);
    if (!parts) return '';
    const [, time = '', from, tag = '', text = ''] = parts;
    if ((since && new Date(time) < since) || (stream && from !== stream)) return '';
    const prefix = timestamps && isNewLine ? `${time} ` : '';
    isNewLine = tag !== 'P';
    return `${prefix}${text}${ENDS[tag] ?? ''}`;
  };
}

/** By the mark of the log writer. */
const ENDS: Readonly<Record<string, string>> = { F: '\n', R: '\r' };
