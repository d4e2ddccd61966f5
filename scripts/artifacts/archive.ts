import { spawn } from 'node:child_process';
import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** SHA-256 of an archive, as hex. */
interface ArchiveDigests {
  /** Of what is in it. */
  readonly content: string;
  /** Of the file. */
  readonly compressed: string;
}

/**
 * Archives `path` of a folder as a .tar.gz, the same bytes for the same files: they belong to root, are equally old, and
 * come in the order of their names.
 */
export async function writeArchiveOf(folder: string, path: string, file: string): Promise<ArchiveDigests> {
  const tar = spawn(
    'tar',
    [
      ...['--create', `--directory=${folder}`, '--format=gnu', '--sort=name', `--mtime=@${secondsOfFiles()}`],
      ...['--numeric-owner', '--owner=0', '--group=0', path],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(tar, 'exit');
  const content = createHash('sha256');
  const compressed = createHash('sha256');
  await pipeline(tar.stdout, into(content), createGzip(), into(compressed), createWriteStream(file));
  const [code] = await ended;
  if (code !== 0) throw new Error(`tar of ${folder}: ended with ${code}; it says above why`);
  return { content: content.digest('hex'), compressed: compressed.digest('hex') };
}

/** As all that is built reproducibly: https://reproducible-builds.org/docs/source-date-epoch/ */
export const secondsOfFiles = () => Number(process.env.SOURCE_DATE_EPOCH ?? 0);

/** Passes a stream on, and into a hash. */
const into = (hash: Hash) =>
  async function* (stream: AsyncIterable<Buffer>) {
    for await (const chunk of stream) {
      hash.update(chunk);
      yield chunk;
    }
  };
