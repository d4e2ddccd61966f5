import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { SigningKey } from '../../record/log/signer.ts';
import { aSigner } from '../record/log/a-log.ts';
import { startFakeTemporal } from './fake-temporal.ts';
import { commandLine } from './in-process.ts';
import { archiveRecorded } from './recorded-archive.ts';

/** `why`, `rerun`, `diff` and `replay` read an archive where there is no server. */

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-archived-'));
  await archiveRecorded({ folder, history: 'scaled-anew', name: 'train', firstRunId: RUN });
  await archiveRecorded({ folder, history: 'restarted', name: 'other' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RUN = '5f0c1a2b-0000-4000-8000-000000000001';
const REPLICAS = 'spec.pytorchReplicaSpecs.Worker.replicas';

const archiveHere = () => ({ SIGNALBOX_ARCHIVE_STORE: 'files', SIGNALBOX_ARCHIVE_DIR: folder });
/** Nobody answers there. */
const AWAY = { TEMPORAL_ADDRESS: '127.0.0.1:1' };

const run = (...args: string[]) =>
  commandLine([...args, '-n', 'ml', '--archived'], { env: { ...archiveHere(), ...AWAY } });

describe('one of several archived jobs of a name', () => {
  const OLDER = '7a1b2c3d-0000-4000-8000-000000000002';
  let several: string;
  beforeAll(async () => {
    several = mkdtempSync(join(tmpdir(), 'signalbox-archived-'));
    const ended = { closed: '2026-11-22T10:05:01.000Z' };
    await archiveRecorded({ folder: several, history: 'scaled-anew', name: 'train', firstRunId: RUN });
    await archiveRecorded({
      folder: several,
      history: 'restarted',
      name: 'train',
      firstRunId: OLDER,
      ...ended,
    });
  });
  afterAll(() => rmSync(several, { recursive: true, force: true }));
  const asked = (...args: string[]) =>
    commandLine([...args, '-n', 'ml', '--archived'], {
      env: { SIGNALBOX_ARCHIVE_STORE: 'files', SIGNALBOX_ARCHIVE_DIR: several, ...AWAY },
    });
  const rerunOf = async (named: string) => (await asked('rerun', named, '--dry-run')).stderr;

  it('is the one that ended last, with a note', async () => {
    expect(await rerunOf('train')).toContain(`run ${RUN}`);
    expect((await asked('history', 'train')).stderr).toContain(
      `2 jobs of this name are archived; this is the one that ended last, run ${RUN}.`,
    );
  });

  it.each(['train@-1', 'train@7a1b2c3d', 'ml/train@7a1b2c', `train@${OLDER}`])(
    'is named by %s',
    async (named) => {
      expect(await rerunOf(named)).toContain(`A rerun of job/ml/train, run ${OLDER}.`);
    },
  );

  it.each(['history', 'get', 'why', 'attest', 'replay'])('is read by %s', async (command) => {
    const { stdout, stderr, code } = await asked(command, 'train@-1');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).not.toBe('');
  });

  it('that does not exist is an error that lists those that do', async () => {
    const { code, stderr } = await asked('get', 'train@-2');
    expect(code).toBe(3);
    expect(stderr).toContain('train@-2 is not in the archive');
    expect(stderr).toContain(`run ${OLDER} (Stopped, submitted`);
  });

  it('is listed beside the jobs that Temporal still has', async () => {
    const temporal = await startFakeTemporal();
    const env = { SIGNALBOX_ARCHIVE_STORE: 'files', SIGNALBOX_ARCHIVE_DIR: several };
    const address = { TEMPORAL_ADDRESS: temporal.address };
    const { code, stderr } = await commandLine(['get', 'train@7a1b2c3d', '-n', 'ml'], {
      env: { ...env, ...address },
    });
    expect(stderr).toContain(`Temporal does not know run ${OLDER} of job/ml/train; this is from its archive`);
    expect(code).toBe(0);
    temporal.stop();
  });
});

describe('an archived job', () => {
  it('is said with what it had waited for', async () => {
    const { code, stdout } = await run('why', 'train');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^PyTorchJob ml\/train +\w+/);
    const { stdout: json } = await run('why', 'train', '-o', 'json');
    expect(JSON.parse(json)).toMatchObject({ name: 'train', reasons: [], waited: expect.any(Array) });
    const { stderr, code: refused } = await run('why', '-f', 'job.yaml');
    expect([refused, stderr]).toEqual([2, expect.stringContaining('a job that is not submitted')]);
  });

  it('is rerun from its histories, with a revision and changes', async () => {
    const { code, stdout, stderr } = await run(
      'rerun',
      'train',
      '--revision',
      '2',
      '--set',
      'spec.runPolicy.backoffLimit=7',
      '--dry-run',
    );
    expect(stderr).toContain(`A rerun of job/ml/train, run ${RUN}, revision 2.`);
    expect(code).toBe(0);
    expect(parse(stdout)).toMatchObject({
      metadata: { name: 'train' },
      spec: { runPolicy: { backoffLimit: 7 }, pytorchReplicaSpecs: { Worker: { replicas: 3 } } },
    });
  });

  it('is not rerun if the signed log does not have it, and a key is set', async () => {
    const [{ verifier }] = aSigner().keys as readonly [SigningKey];
    const env = { ...archiveHere(), ...AWAY, SIGNALBOX_ARCHIVE_PUBLIC_KEY: verifier.text };
    const args = ['rerun', 'train', '--dry-run', '-n', 'ml', '--archived'];
    const { code, stdout, stderr } = await commandLine(args, { env });
    expect({ code, stdout }).toEqual({ code: 13, stdout: '' });
    expect(stderr).toContain('expected the place of a leaf for this archive; found no file');
    expect((await run('rerun', 'train', '--dry-run')).stderr).toContain('is not verified: there is no key');
  });

  it('is compared with another one, and with itself', async () => {
    const { code, stdout } = await run('diff', 'train@1', 'train@2', '-o', 'json');
    expect(code).toBe(6);
    expect(JSON.parse(stdout)).toMatchObject({
      isEqual: false,
      manifest: [{ path: REPLICAS, a: 2, b: 3 }],
      ...{ policy: [], fate: [] },
    });
    expect(await run('diff', `train@${RUN}`, 'train')).toMatchObject({ code: 0 });
    const { stdout: text } = await run('diff', 'train', 'other');
    expect(text).toMatch(/^outcome +\S+/m);
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(120);
  });

  it('is replayed with all others, also with another policy', async () => {
    expect(await run('replay')).toMatchObject({ code: 0, stdout: expect.stringMatching(/\n2 +replays\n$/) });
    const policy = join(folder, 'policy.yaml');
    writeFileSync(policy, 'failures:\n  classes:\n    userCode: { budget: 0 }\n');
    const tried = await run('replay', 'other', '--policy', policy);
    expect(tried).toMatchObject({
      code: 6,
      stdout: expect.stringMatching(/\n1 +restarts pods +ends as Failed\n/),
    });
  });

  it('is found when Temporal no longer knows it, with a note', async () => {
    const temporal = await startFakeTemporal();
    const env = { ...archiveHere(), TEMPORAL_ADDRESS: temporal.address };
    const args = [
      ['rerun', 'train', '--dry-run'],
      ['diff', 'train', 'train'],
      ['replay', 'train'],
    ];
    for (const given of args) {
      const { code, stderr } = await commandLine([...given, '-n', 'ml'], { env });
      expect(stderr).toContain('Temporal does not know job/ml/train; this is from its archive, file:///');
      expect(code).toBe(0);
    }
    expect(await commandLine(['diff', 'nobody', 'train', '-n', 'ml'], { env })).toMatchObject({ code: 3 });
    temporal.stop();
  });

  it('is the remedy that an error names when Temporal is unavailable', async () => {
    const env = { ...archiveHere(), ...AWAY };
    const { code, stderr } = await commandLine(['get', 'train', '-n', 'ml'], { env });
    expect(code).toBe(12);
    expect(stderr).toContain('With --archived, this command reads the archive, without any server.');
  });

  it('that does not exist is an error', async () => {
    for (const args of [
      ['rerun', 'nobody', '--dry-run'],
      ['diff', 'train', 'nobody'],
    ]) {
      expect(await run(...args)).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('nobody is not in the archive'),
      });
    }
  });
});
