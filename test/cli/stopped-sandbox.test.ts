import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeArchive } from '../../record/archive/archive-writer.ts';
import { FileArchiveStore } from '../../record/archive/file-archive-store.ts';
import { appendToLog } from '../../record/log/append.ts';
import { someContents } from '../record/archive/some-job.ts';
import { aSigner } from '../record/log/a-log.ts';
import { commandLine } from './in-process.ts';

let folder: string;
let archive: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-stopped-'));
  archive = join(folder, 'sandbox', 'data', 'archive');
  mkdirSync(archive, { recursive: true });
  writeFileSync(join(folder, 'sandbox', 'state.json'), JSON.stringify({ phase: 'stopped' }));
  const store = new FileArchiveStore(archive);
  await appendToLog(store, aSigner(), [await writeArchive(store, await someContents())]);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Nobody answers there, and nothing was archived in the default directory. */
const run = (args: readonly string[], sandbox = join(folder, 'sandbox')) =>
  commandLine(args, {
    env: {
      SIGNALBOX_SANDBOX_DIR: sandbox,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      XDG_STATE_HOME: join(folder, 'state'),
      SIGNALBOX_ARCHIVE_DIR: '',
    },
  });

describe('the archive of a stopped sandbox', () => {
  it('is read by lists, with a note', async () => {
    const { code, stdout, stderr } = await run(['list', '--archived', '-A', '-o', 'name']);
    expect(stderr).toContain(`The sandbox is stopped; this reads its archive, ${archive}.`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'job/ml/train\n' });
  });

  it('is read by audits, although Temporal is unavailable', async () => {
    const { code, stdout, stderr } = await run(['audit', 'jobs', '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'train' }]);
    expect(stderr).toContain('showing archived jobs only');
    expect(code).toBe(0);
  });
});

describe('without any archive', () => {
  it('an audit first says that there is none', async () => {
    const { code, stderr } = await run(['audit', 'jobs'], join(folder, 'none'));
    expect(stderr).toMatch(
      /^warning: there is no archive at .*\/state\/signalbox\/archive .*; this asks only Temporal/,
    );
    expect(code).toBe(12);
  });
});
