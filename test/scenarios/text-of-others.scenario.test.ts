import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sandboxLayout } from '@signalbox/sandbox';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { LAST_APPLIED } from '../../contracts/last-applied.ts';
import { type Ended, signalbox } from '../cli/process.ts';
import { localJob } from './local-jobs.ts';
import { openStage, type Stage } from './stage.ts';
import { historyText } from './workflow-history.ts';

/** What programs and submitters write, as the command line shows it: control sequences are visible, secrets hidden. */

const ESCAPES = String.raw`\033]0;pwn\007\033[2Jcleared`;
const WHY = '\u001b]0;pwn\u0007\u001b[8mfirst\u001b[0m\u202etry';
const [IN_ENV, IN_ARGUMENT, IN_MESSAGE] = ['hunter2-env', 'hunter2-argument', 'hunter2-message'];

let stage: Stage;
let folder: string;
let submitted: Ended;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
  folder = await mkdtemp(join(tmpdir(), 'signalbox-text-'));
  await write('esc', IN_ARGUMENT);
  await write('esc-2', 'hunter2-another');
  submitted = await run('submit', join(folder, 'esc.json'), '--follow', '--why', WHY);
  await run('submit', join(folder, 'esc-2.json'), '--wait');
});

afterAll(async () => {
  await stage?.close();
  if (folder) await rm(folder, { recursive: true });
});

/** As `kubectl get -o json` prints a job: it repeats the manifest, with all values. */
async function write(name: string, argument: string): Promise<void> {
  const { metadata, ...manifest } = localJob({
    ...{ name, namespace: stage.namespace, restartPolicy: 'Never' },
    script: `printf '${ESCAPES}\\n'; echo "lost postgres://ana:hun""ter2-message@db"; exit 3`,
    container: {
      args: ['--token', argument],
      env: [{ name: 'WANDB_KEY', value: IN_ENV }],
      terminationMessagePolicy: 'FallbackToLogsOnError',
    },
  });
  const annotations = { [LAST_APPLIED]: JSON.stringify(manifest) };
  const applied = { ...manifest, metadata: { ...metadata, annotations } };
  await writeFile(join(folder, `${name}.json`), JSON.stringify(applied));
}

const run = (...args: string[]) =>
  signalbox(args, {
    env: {
      TEMPORAL_ADDRESS: stage.sandbox.temporalAddress,
      SIGNALBOX_NAMESPACE: stage.namespace,
      SIGNALBOX_KUBECONFIG: stage.sandbox.kubeconfig,
      SIGNALBOX_EVIDENCE_DIR: sandboxLayout(stage.sandbox.dir).evidence,
      FORCE_COLOR: '1',
    },
  });

/** But for the colours of the command line itself. */
const CONTROLS = /(?!\n)[\p{Cc}\p{Cf}]/u;
const OWN_COLOURS = new RegExp(`${'\u001b'}\\[(?:1|2|22|3[1-6]|39)m`, 'g');

describe('a job whose program and submitter write control sequences', () => {
  it.each([
    ['get', ['get', 'esc']],
    ['get -o wide', ['get', 'esc', '-o', 'wide']],
    ['list -o wide', ['list', '-o', 'wide']],
    ['history', ['history', 'esc']],
    ['evidence', ['evidence', 'esc']],
  ])('has them escaped on a terminal by %s', async (_what, args) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('^[');
    expect(stdout.replaceAll(OWN_COLOURS, '')).not.toMatch(CONTROLS);
    expect(stdout).not.toContain(IN_MESSAGE);
  });

  it('has them escaped for a follower', () => {
    expect(submitted.code).toBe(10);
    expect(submitted.stdout).toContain('^[]0;pwn^G^[[2Jcleared');
    expect(submitted.stdout.replaceAll(OWN_COLOURS, '')).not.toMatch(CONTROLS);
  });

  it('has its log unchanged in a pipe', async () => {
    const { stdout } = await run('logs', 'esc');
    expect(stdout).toContain('\u001b]0;pwn\u0007\u001b[2Jcleared\n');
    expect(stdout).toContain(IN_MESSAGE);
  });
});

describe('a job with secrets in its manifest', () => {
  it('has no copy of the manifest in its history and its anchor', async () => {
    const job = stage.client.job({ name: 'esc', namespace: stage.namespace });
    expect(await historyText(stage.temporal, job)).not.toContain(LAST_APPLIED);
    const anchor = await stage.cluster.get(CONFIG_MAPS, stage.namespace, 'esc.signalbox');
    expect(JSON.stringify(anchor)).not.toContain(LAST_APPLIED);
  });

  it.each([
    ['its report', ['report', 'esc', '--out', '-']],
    ['a statement without environment', ['attest', 'esc', '--without-env']],
    ['a comparison', ['diff', 'esc', 'esc-2']],
    ['a comparison as data', ['diff', 'esc', 'esc-2', '-o', 'json']],
  ])('hides them in %s', async (_what, args) => {
    const { stdout } = await run(...args);
    expect(stdout).toContain('esc');
    expect(stdout).toContain('(hidden)');
    expect(stdout).not.toContain('hunter2');
  });

  it('keeps them in a statement with its environment, with a note', async () => {
    const { stdout, stderr } = await run('attest', 'esc');
    expect(stdout).toContain(IN_ENV);
    expect(stdout).not.toContain(LAST_APPLIED);
    expect(stderr).toContain('--without-env');
  });
});
