import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalJson } from '../../../language/canonical-json.ts';
import { FileArchiveStore } from '../../../record/archive/file-archive-store.ts';
import { appendToLog } from '../../../record/log/append.ts';
import { proveLeaf } from '../../../record/verify/prove-leaf.ts';
import { aPrivateKey, aSigner, ORIGIN, someLeaves } from './a-log.ts';

const run = promisify(execFile);
const SOURCE = fileURLToPath(new URL('go-verifier', import.meta.url));
const hasGo = spawnSync('go', ['version']).status === 0;
const signer = aSigner();
const [key] = signer.keys.map(({ verifier }) => verifier.text);

let folder: string;
let store: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-log-'));
  store = join(folder, 'store');
  if (!hasGo) return;
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false -mod=readonly', GOWORK: 'off' };
  await run('go', ['build', '-o', join(folder, 'verifier'), '.'], { cwd: SOURCE, env });
  for (const [from, count] of [
    [0, 1],
    [1, 3],
    [4, 400],
    [404, 1],
  ] as const) {
    await appendToLog(new FileArchiveStore(store), signer, someLeaves(count, from));
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const verify = (directory = store, verifier = key!) =>
  run(join(folder, 'verifier'), [verifier, ORIGIN, directory]).then(
    ({ stdout }) => stdout.trim(),
    (error: { stderr: string }) => error.stderr.trim(),
  );

async function verifyAfter(change: (directory: string) => Promise<void>): Promise<string> {
  const copy = await mkdtemp(join(folder, 'copy-'));
  await cp(store, copy, { recursive: true });
  await change(copy);
  return verify(copy);
}

// What verifies here was written by others, for other logs.
(hasGo ? describe : describe.skip)('libraries of Go', () => {
  it('verify checkpoints, tiles, entries and consistency', async () => {
    expect(await verify()).toBe('405 leaves, 4 checkpoints');
  });

  it('verify checkpoints with a second signature of an unknown key', async () => {
    const both = join(folder, 'both');
    const [first, second] = [aPrivateKey(), aPrivateKey()];
    await appendToLog(new FileArchiveStore(both), aSigner(`${first}${second}`), someLeaves(3));
    for (const pem of [first, second]) {
      expect(await verify(both, aSigner(pem).keys[0]!.verifier.text)).toBe('3 leaves, 1 checkpoints');
    }
  });

  it('verify the proof of a leaf', async () => {
    const leaf = someLeaves(1, 300)[0]!;
    const file = join(folder, 'one.tlog-proof');
    await writeFile(file, (await proveLeaf(new FileArchiveStore(store), leaf.folder))!);
    expect(await verify(file)).toBe(`leaf 300 of 405: ${canonicalJson(leaf)}`);
  });

  it.each([
    ['a checkpoint', 'log/checkpoints/000000000002', 40, 'invalid signature'],
    ['a tile', 'log/tile/0/001.p/149', 70, 'downloaded inconsistent tile'],
    ['an entry', 'log/tile/entries/000', 2000, 'leaf '],
  ])('find a changed byte of %s', async (_, file, place, message) => {
    const found = await verifyAfter(async (directory) => {
      const bytes = await readFile(join(directory, file));
      bytes[place]! ^= 1;
      await writeFile(join(directory, file), bytes);
    });
    expect(found).toContain(message);
  });
});
