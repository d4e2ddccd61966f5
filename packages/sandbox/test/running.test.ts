import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { identify } from '../engine-scripts.ts';
import { runningSandbox, stoppedSandboxArchive } from '../running.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sandbox-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const supervisor = identify(process.pid);
const recorded = { phase: 'ready', supervisor, temporalAddress: '127.0.0.1:7', kubeconfig: '/kubeconfig' };
const found = () => runningSandbox({ SIGNALBOX_SANDBOX_DIR: dir });
const record = (text: string) => writeFileSync(join(dir, 'state.json'), text);

test('a running sandbox is found with its addresses', () => {
  record(JSON.stringify(recorded));
  expect(found()).toEqual({
    temporalAddress: '127.0.0.1:7',
    kubeconfig: '/kubeconfig',
    evidenceDirectory: join(dir, 'data', 'evidence'),
    archiveDirectory: join(dir, 'data', 'archive'),
  });
});

test('no sandbox is found before the first `up`', () => expect(found()).toBeUndefined());

test.each([
  ['was stopped', { ...recorded, phase: 'stopped' }],
  ['could not start', { ...recorded, phase: 'failed' }],
  ['lost its supervisor', { ...recorded, supervisor: { ...supervisor, startTime: 'another' } }],
  ['recorded no process', { ...recorded, supervisor: {} }],
  ['recorded no address', { ...recorded, temporalAddress: undefined }],
])('a sandbox that %s does not count as running', (_what, state) => {
  record(JSON.stringify(state));
  expect(found()).toBeUndefined();
});

test('the archive of a stopped sandbox is found', () => {
  const archive = join(dir, 'data', 'archive');
  const archiveFound = () => stoppedSandboxArchive({ SIGNALBOX_SANDBOX_DIR: dir });
  expect(archiveFound()).toBeUndefined();
  mkdirSync(archive, { recursive: true });
  record(JSON.stringify({ ...recorded, phase: 'stopped' }));
  expect(archiveFound()).toBe(archive);
  record(JSON.stringify(recorded));
  expect(archiveFound()).toBeUndefined();
});

test.each(['', 'null', '{'])('a damaged state, %j, does not count as running', (text) => {
  record(text);
  expect(found()).toBeUndefined();
});
