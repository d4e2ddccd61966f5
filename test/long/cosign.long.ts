import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ensurePrograms } from '@signalbox/sandbox';
import { KEY_PAIRS } from '../record/attest/a-job.ts';
import { type AttestedFiles, attestedFiles } from '../record/attest/attested-files.ts';

/** Attestations that the command line writes, verified by cosign as docs/attestation.md shows it. Built once: 5 minutes. */

const BUILD_MS = 1_200_000;

const run = promisify(execFile);

describe.each(Object.keys(KEY_PAIRS))('cosign, with %s', (type) => {
  let cosign: string;
  let home: string;
  let files: AttestedFiles;

  beforeAll(async () => {
    ({ cosign } = await ensurePrograms({ names: ['cosign'] }));
    home = await mkdtemp(join(tmpdir(), 'signalbox-cosign-'));
    files = await attestedFiles(home);
    await attest('dsse', '--ledger', files.path('ledger.jsonl'));
    await attest('bundle');
    await writeFile(files.path('other.jsonl'), '{}\n');
  }, BUILD_MS);
  afterAll(() => rm(home, { recursive: true, force: true }));

  async function attest(format: string, ...more: readonly string[]): Promise<void> {
    const asked = [
      '--key',
      files.path(`${type}.key`),
      '--format',
      format,
      '--out',
      files.path(format),
      ...more,
    ];
    expect(await files.attest('train', '-n', 'ml', '--archived', ...asked)).toMatchObject({ code: 0 });
  }

  /** Returns what cosign prints; offline, as it keeps its cache in HOME. */
  async function verify(
    format: string,
    { attestation = format, key = type, file = 'ledger.jsonl' } = {},
  ): Promise<string> {
    const ofFormat = {
      dsse: ['--signature', files.path(attestation)],
      bundle: ['--bundle', files.path(attestation)],
    }[format]!;
    const common = ['--key', files.path(`${key}.pub`), '--type', 'slsaprovenance1', '--insecure-ignore-tlog'];
    const args = ['verify-blob-attestation', ...common, ...ofFormat, files.path(file)];
    const env = { HOME: home, PATH: process.env.PATH };
    return run(cosign, args, { env }).then(
      ({ stdout, stderr }) => stdout + stderr,
      (error: Error & { stderr: string }) => `refused: ${error.stderr}`,
    );
  }

  async function changed(format: string): Promise<string> {
    const text = await readFile(files.path(format), 'utf8');
    const at = text.indexOf('"payload":"') + 100;
    await writeFile(
      files.path('changed'),
      `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`,
    );
    return 'changed';
  }

  it.each(['dsse', 'bundle'])('verifies format %s', async (format) => {
    expect(await verify(format)).toContain('Verified OK');
  });

  it.each(['dsse', 'bundle'])('refuses a changed byte, another ledger, another key: %s', async (format) => {
    expect(await verify(format, { attestation: await changed(format) })).toMatch(/^refused: /);
    expect(await verify(format, { file: 'other.jsonl' })).toMatch(/subject digest|digests? in statement/);
    const key = Object.keys(KEY_PAIRS).find((one) => one !== type)!;
    expect(await verify(format, { key })).toMatch(/^refused: /);
  });
});
