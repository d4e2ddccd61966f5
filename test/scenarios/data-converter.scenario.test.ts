import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { Engine } from '../../demo/engine.ts';
import { signalbox } from '../cli/process.ts';
import { eventually } from '../eventually.ts';
import { type ArchiveStage, openArchiveStage } from './archive-stage.ts';
import { untilRestarted } from './attempts.ts';
import { simulatedJob, withPolicy } from './manifests.ts';
import { untilObjects, untilPhase } from './stage.ts';

/** An installation encrypts its payloads. Temporal cannot read them; everything that signalbox shows of a job can. */

const CONVERTER = fileURLToPath(new URL('./encrypting-converter.mjs', import.meta.url));
const ENCRYPTS_ALL = fileURLToPath(new URL('./all-encrypting-converter.mjs', import.meta.url));
const SECRET = 'a secret of the manifest';
const WHY = 'a secret reason';
const AMENDED = 'a secret rule';
const ENCRYPTED = 'Payloads of Temporal have the encoding binary/encrypted';

let on: ArchiveStage;
let engine: Engine;
let job: JobHandle;
let home: string;
beforeAll(async () => {
  on = await openArchiveStage({ dataConverter: CONVERTER });
  engine = await on.engine().start(on.settings);
  home = await mkdtemp(join(tmpdir(), 'signalbox-sealed-'));
});
afterAll(async () => {
  await on?.close();
  if (home) await rm(home, { recursive: true, force: true });
});

/** The command line, with the key or without. */
const run = (...args: readonly string[]) => signalbox(args, { env: { ...on.settings, HOME: home } });
const runWithoutKey = (...args: readonly string[]) =>
  signalbox(args, { env: { ...on.settings, SIGNALBOX_DATA_CONVERTER: '', HOME: home } });

const restart = { backOff: { initial: '0s' } };
const budget = (allowed: number) => ({ failures: { classes: { userCode: { budget: allowed } } }, restart });

const says = (text: string | RegExp) =>
  text instanceof RegExp ? expect.stringMatching(text) : expect.stringContaining(text);

/** All texts in an object, and what is in them as base64: what somebody without the key can read. */
function readableIn(value: unknown): string {
  if (typeof value === 'string') return `${value}\n${Buffer.from(value, 'base64').toString('latin1')}\n`;
  if (value === null || typeof value !== 'object') return '';
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  return Object.values(value).map(readableIn).join('');
}

const historyOf = ({ workflowId }: JobHandle) => on.temporal.workflow.getHandle(workflowId).fetchHistory();

const readableOf = async (one: JobHandle) => readableIn(JSON.parse(historyToJSON(await historyOf(one))));

it('a job runs, restarts and is amended with payloads that Temporal cannot read', async () => {
  const { namespace } = on.stage;
  const given = simulatedJob({
    ...{ name: 'sealed', namespace, annotations: { 'example.com/note': SECRET } },
    ...{ runPolicy: { cleanPodPolicy: 'All' }, master: { restartPolicy: 'OnFailure' }, worker: false },
  });
  const manifest = withPolicy(given, budget(3));
  job = await on.client.submit(manifest, { why: WHY });
  await untilPhase(job, 'Running');
  expect((await on.client.submit(manifest)).submission).toBe('already-running');
  await on.stage.endPod('sealed-master-0', { exitCode: 1 });
  await untilRestarted(job, 1);
  await job.amendPolicy({ policy: { holdOnFailure: '1m' }, by: 'ana', why: AMENDED });
  await on.stage.endPod('sealed-master-0', { exitCode: 0 });
  expect((await job.wait()).phase).toBe('Completed');
  await untilObjects(on.stage, ['ConfigMap/sealed.signalbox']);

  const described = await on.temporal.workflowService.describeWorkflowExecution({
    namespace: on.temporalNamespace,
    execution: { workflowId: job.workflowId },
  });
  const readable = (await readableOf(job)) + readableIn(described);
  expect(readable).toContain('binary/encrypted');
  for (const word of [SECRET, WHY, AMENDED, 'pytorchReplicaSpecs', 'sealed-master-0'])
    expect({ word, isReadable: readable.includes(word) }).toEqual({ word, isReadable: false });
});

/** Of a job that fails: what its client reads, and what anybody reads in Temporal. */
async function failureOn({ client, stage, temporal }: ArchiveStage) {
  const master = { restartPolicy: 'Never', annotations: { 'signalbox.dev/simulate': 'failed' } };
  const failing = simulatedJob({ name: 'failing', namespace: stage.namespace, master, worker: false });
  const failed = await client.submit(failing);
  const { phase, cause } = await failed.wait();
  const history = await temporal.workflow.getHandle(failed.workflowId).fetchHistory();
  return { phase, message: cause?.message, readable: readableIn(JSON.parse(historyToJSON(history))) };
}

describe('the message of a failed job', () => {
  const MESSAGE = 'failing-master-0 on node';

  it('is not encrypted, as the documentation says', async () => {
    const { phase, message, readable } = await failureOn(on);
    expect({ phase, message }).toEqual({ phase: 'Failed', message: says(MESSAGE) });
    expect(readable).toContain(MESSAGE);
  });

  it('is encrypted with a failure converter that does so', async () => {
    const all = await openArchiveStage({ dataConverter: ENCRYPTS_ALL });
    try {
      await all.engine().start(all.settings);
      const { phase, message, readable } = await failureOn(all);
      expect({ phase, message }).toEqual({ phase: 'Failed', message: says(MESSAGE) });
      expect(readable).not.toContain('failing-master-0');
      const shown = await signalbox(['get', 'failing'], { env: { ...all.settings, HOME: home } });
      expect(shown).toMatchObject({ code: 0, stdout: says(MESSAGE) });
    } finally {
      await all.close();
    }
  });
});

/** Asks the same in both ways, and compares each with what is expected of it. */
async function bothWays(args: readonly string[], withKey: object, withoutKey: object): Promise<void> {
  const [opened, closed] = await Promise.all([run(...args), runWithoutKey(...args)]);
  expect({ args, ...opened }).toMatchObject(withKey);
  expect({ args, ...closed }).toMatchObject(withoutKey);
}

const FOLLOWS = { code: 0, stdout: says(/^1 +replays$/m) };
const UNREADABLE = { code: 2, stdout: says(ENCRYPTED) };
const REFUSED = { code: 2, stdout: '', stderr: says(ENCRYPTED) };
const ENDS_AS_FAILED = { code: 6, stdout: says(/restarts pods +ends as Failed/) };
const RERUN = { code: 0, stdout: says(SECRET) };
const DIFFERS = { code: 6, stdout: says(/\s-\s+1m$/m) };
const HISTORY = { code: 0, stdout: says(AMENDED) };

/** What a person asks of the job's record. */
async function askAll(...from: readonly string[]): Promise<void> {
  await bothWays(['replay', 'sealed', ...from], FOLLOWS, UNREADABLE);
  await bothWays(['replay', 'sealed', '--policy', await stricter(), ...from], ENDS_AS_FAILED, UNREADABLE);
  await bothWays(['rerun', 'sealed', '--dry-run', ...from], RERUN, REFUSED);
  await bothWays(['diff', 'sealed@1', 'sealed@2', ...from], DIFFERS, REFUSED);
}

async function stricter(): Promise<string> {
  const path = join(home, 'policy.yaml');
  await writeFile(path, JSON.stringify(budget(0)));
  return path;
}

describe('a job with encrypted payloads', () => {
  it('is read from Temporal only with the data converter', async () => {
    await askAll();
    await bothWays(['get', 'sealed'], { code: 0, stdout: says('Completed') }, REFUSED);
    await bothWays(['history', 'sealed'], HISTORY, REFUSED);
    await bothWays(['report', 'sealed', '--out', '-'], { code: 0, stdout: says(SECRET) }, REFUSED);
  });

  it('is read from a history file only with the data converter', async () => {
    const path = join(home, 'sealed.json');
    await writeFile(path, historyToJSON(await historyOf(job)));
    await bothWays(['replay', path], FOLLOWS, UNREADABLE);
    await bothWays(['replay', path, '--policy', await stricter()], ENDS_AS_FAILED, UNREADABLE);
  });

  it('has an archive whose histories are read only with the data converter', async () => {
    const archive = await eventually('it is archived', () =>
      on.archive.find({ namespace: on.stage.namespace, name: 'sealed' }),
    );
    await askAll('--archived');
    await bothWays(['history', 'sealed', '--archived'], HISTORY, HISTORY);
    const reported = { code: 0, stdout: says(SECRET) };
    await bothWays(['report', 'sealed', '--archived', '--out', '-'], reported, reported);

    const folder = join(on.directory, archive.ref.slice(archive.ref.indexOf('jobs/')));
    const fileIn = async (name: string) => {
      const bytes = await readFile(join(folder, name));
      return (name.endsWith('.gz') ? await promisify(gunzip)(bytes) : bytes).toString('utf8');
    };
    const history = readableIn(JSON.parse(await fileIn('history-1.json.gz')));
    for (const word of [SECRET, WHY, AMENDED, 'sealed-master-0'])
      expect({ word, isReadable: history.includes(word) }).toEqual({ word, isReadable: false });
    expect(await fileIn('job.json')).toContain(SECRET);
    expect(await fileIn('ledger.jsonl.gz')).toContain(AMENDED);
    expect(await fileIn('evidence.jsonl.gz')).toContain('sealed-master-0');
  });

  it('is replayed without a worker only with the data converter', async () => {
    await engine.stop();
    const replayed = { ...HISTORY, stderr: says('Its histories are replayed here') };
    await bothWays(['history', 'sealed'], replayed, REFUSED);
  });
});
