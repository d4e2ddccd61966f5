import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { EnvHttpProxyAgent, fetch } from 'undici';
import { SandboxError } from '../errors.ts';
import type { ProgressReport } from '../report.ts';
import type { Release } from './program.ts';

const run = promisify(execFile);

/** Short, so that an offline machine soon builds instead. */
const CONNECT_TIMEOUT_MS = 3_000;
const STALLED_MS = 30_000;

const dispatcher = new EnvHttpProxyAgent({
  connect: { timeout: CONNECT_TIMEOUT_MS },
  headersTimeout: STALLED_MS,
  bodyTimeout: STALLED_MS,
});

/** Downloads the release, verifies its published checksum, and writes the program to `draft`. */
export async function download(release: Release, draft: string, report: ProgressReport): Promise<void> {
  const expected = await publishedChecksum(release);
  const folder = await mkdtemp(join(dirname(draft), '.download-'));
  try {
    const file = join(folder, 'release');
    const actual = await fetchTo(release.url, file, report);
    if (actual !== expected) throw wrongChecksum(release, expected, actual);
    await rename(await unpack(file, release.member), draft);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns a function that checks whether a URL's origin answers. It tries each origin once. */
export function createProbe(): (url: string) => Promise<boolean> {
  const tried = new Map<string, Promise<boolean>>();
  return (url) => {
    const { origin } = new URL(url);
    const answer = tried.get(origin) ?? answers(origin);
    tried.set(origin, answer);
    return answer;
  };
}

async function answers(origin: string): Promise<boolean> {
  const request = fetch(origin, {
    method: 'HEAD',
    redirect: 'manual',
    dispatcher,
    signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS),
  });
  return request.then(
    () => true,
    () => false,
  );
}

async function publishedChecksum(release: Release): Promise<string> {
  const published = await (await get(release.checksum.url)).text();
  const sum = release.checksum.find(published)?.toLowerCase();
  if (sum !== undefined && /^[0-9a-f]{64}$/.test(sum)) return sum;
  throw new SandboxError(
    `${release.checksum.url}: expected the SHA-256 of ${release.url}, got none`,
    'nothing unverified is run: install Go so that the program can be built, or put it on PATH yourself',
  );
}

async function get(url: string) {
  const response = await fetch(url, { dispatcher });
  if (response.ok) return response;
  throw new SandboxError(
    `${url}: expected HTTP 200, got ${response.status}`,
    'install Go so that the program can be built, or put it on PATH yourself',
  );
}

async function fetchTo(url: string, file: string, report: ProgressReport): Promise<string> {
  const response = await get(url);
  if (response.body === null)
    throw new SandboxError(`${url}: expected a file, got an empty answer`, 'try again later');
  const total = Number(response.headers.get('content-length') ?? 0);
  const hash = createHash('sha256');
  let received = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      received += chunk.length;
      if (total > 0) report.detail(`${Math.floor((received / total) * 100)} %`);
      done(null, chunk);
    },
  });
  await pipeline(Readable.fromWeb(response.body), meter, createWriteStream(file));
  return hash.digest('hex');
}

/** `tar` reads tar.gz everywhere, and zip on macOS, the only platform with zip releases. */
async function unpack(file: string, member: string | undefined): Promise<string> {
  if (member === undefined) return file;
  const folder = dirname(file);
  await run('tar', ['-xf', file, '-C', folder, member]);
  return join(folder, member);
}

/** A separate class: a wrong checksum never leads to a build instead. */
export class WrongChecksum extends SandboxError {}

function wrongChecksum(release: Release, expected: string, actual: string): WrongChecksum {
  return new WrongChecksum(
    `${release.url}: expected SHA-256 ${expected} (from ${release.checksum.url}), got ${actual}`,
    'the download was damaged or replaced, and was deleted: try again; if it fails again, ask the operator of the proxy or mirror',
  );
}
