import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findPython, PythonEnvironment, SET_UP_MS } from '../../python/environment.ts';
import { KEY_PAIRS } from './a-job.ts';
import { type AttestedFiles, attestedFiles } from './attested-files.ts';

/** Attestations that the command line writes, verified by the Python libraries of in-toto. */

const python = await findPython();
if (!python) console.warn('Skipped in-toto’s libraries: this machine has no Python 3.10 or later.');

const PROGRAM = fileURLToPath(new URL('verify.py', import.meta.url));
const REQUIREMENTS = '../test/record/attest/requirements.txt';

(python ? describe : describe.skip).each(Object.keys(KEY_PAIRS))('in-toto’s libraries, with %s', (type) => {
  let environment: PythonEnvironment;
  let directory: string;
  let files: AttestedFiles;
  let key: string;

  beforeAll(async () => {
    environment = await PythonEnvironment.ensure(python!, '.venv-attest', REQUIREMENTS);
    directory = await mkdtemp(join(tmpdir(), 'signalbox-attest-'));
    files = await attestedFiles(directory);
    key = files.path(`${type}.pub`);
    const made = [
      '--key',
      files.path(`${type}.key`),
      '--out',
      files.path('a.json'),
      '--ledger',
      files.path('l'),
    ];
    expect(await files.attest('train', '-n', 'ml', '--archived', ...made)).toMatchObject({ code: 0 });
  }, SET_UP_MS);
  afterAll(() => rm(directory, { recursive: true, force: true }));

  const verify = (...args: readonly string[]) => environment.run([PROGRAM, ...args]);

  test('other verifiers verify an attestation, and read its statement and predicate', async () => {
    const { code, output } = await verify(files.path('a.json'), key, files.path('l'));
    expect({ code, output }).toEqual({ code: 0, output: 'verified: job/ml/train/1f3d\n' });
  });

  test('other verifiers refuse a changed byte, another ledger, and another key', async () => {
    const envelope = JSON.parse(await readFile(files.path('a.json'), 'utf8'));
    const payload = Buffer.from(envelope.payload, 'base64').fill('x', 9, 10).toString('base64');
    await writeFile(files.path('b.json'), JSON.stringify({ ...envelope, payload }));
    expect(await verify(files.path('b.json'), key)).toMatchObject({
      code: 1,
      output: expect.stringContaining('refused'),
    });
    await copyFile(key, files.path('other'));
    expect(await verify(files.path('a.json'), key, files.path('other'))).toMatchObject({
      code: 1,
      output: expect.stringContaining('other is no subject'),
    });
    const other = files.path(`${Object.keys(KEY_PAIRS).find((one) => one !== type)}.pub`);
    expect(await verify(files.path('a.json'), other)).toMatchObject({
      code: 1,
      output: expect.stringContaining('refused'),
    });
  });
});
