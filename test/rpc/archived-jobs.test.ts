import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeArchive } from '../../record/archive/archive-writer.ts';
import { FileArchiveStore } from '../../record/archive/file-archive-store.ts';
import { SOME_ENTRIES, someContents, someRecord } from '../record/archive/some-job.ts';
import { answerer, failureOf } from './some-servers.ts';

let directory: string;
let store: FileArchiveStore;
let ask: ReturnType<typeof answerer>;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-rpc-'));
  store = new FileArchiveStore(directory);
  ask = answerer({ archive: store });
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const archived = async (change: Parameters<typeof someContents>[0] = {}) =>
  writeArchive(store, await someContents(change));

const TRAIN = { workflowId: 'job/ml/train', firstRunId: '5f0c' };
const at = (minute: number) => `2026-11-20T10:${String(minute).padStart(2, '0')}:00.000Z`;

interface Listed {
  readonly workflowId: string;
  readonly summary: { readonly name: string };
}

async function namesOf(given: object, cursor?: string) {
  const answer = await ask('archive.list', given, cursor);
  return { ...answer, names: (answer.result as Listed[]).map(({ summary }) => summary.name) };
}

describe('archive.list', () => {
  it('has the jobs that match, the one that ended last first', async () => {
    await archived();
    await archived({ name: 'early', closed: at(5) });
    await archived({ name: 'later', namespace: 'vision', closed: at(7) });
    expect((await namesOf({})).names).toEqual(['train', 'later', 'early']);
    expect((await namesOf({ namespace: 'ml', phase: 'Stopped', endedBefore: at(6) })).names).toEqual([
      'early',
    ]);
    expect((await namesOf({ phase: ['Failed'] })).names).toEqual([]);
    const { result } = await ask('archive.list', { limit: 1 });
    expect(result).toEqual([
      { ...TRAIN, runIds: ['5f0c'], summary: expect.objectContaining({ phase: 'Stopped', namespace: 'ml' }) },
    ]);
  });

  it('goes on where a page ended, and not before it', async () => {
    const labels = { note: 'x'.repeat(100_000) };
    for (let minute = 1; minute <= 6; minute++) {
      const name = `job-${minute}`;
      const manifest = { kind: 'PyTorchJob', metadata: { name, namespace: 'ml', labels } };
      await archived({ name, closed: at(minute), firstRunId: `run-${minute}`, manifest });
    }
    const first = await namesOf({});
    expect(first.names).toEqual(['job-6', 'job-5', 'job-4', 'job-3']);
    await archived({ name: 'new', closed: at(59) });
    const second = await namesOf({}, first.cursor);
    expect(second.names).toEqual(['job-2', 'job-1']);
    expect(second).not.toHaveProperty('cursor');
  });

  it('names what cannot be read, and lists the others', async () => {
    const { folder } = await archived({ name: 'early', closed: at(5) });
    await archived();
    await writeFile(join(directory, folder, 'job.json'), '{}');
    expect(await namesOf({})).toMatchObject({
      names: ['train'],
      unreadable: [expect.stringContaining('expected schema')],
    });
  });

  it('refuses a word that it does not know', async () => {
    expect(await failureOf(ask('archive.list', { phase: 'failing' }))).toMatchObject({
      message: expect.stringMatching(
        /^arguments\.phase: expected one of Pending, .*, or a list of them, got "failing"$/,
      ),
    });
  });
});

describe('archive.find', () => {
  it('has what is on record of the job', async () => {
    await archived({ submitted: { at: at(1), who: { given: 'ana' }, why: 'a trial' } });
    const { result } = await ask('archive.find', { name: 'train', namespace: 'ml' });
    expect(result).toMatchObject({
      ...{ ...TRAIN, why: 'a trial', missing: [], revisions: [], archivedAt: '2026-11-23T10:06:00.000Z' },
      status: { phase: 'Stopped' },
      manifest: { metadata: { name: 'train' } },
      ref: expect.stringMatching(/^file:.*5f0c$/),
    });
    expect((await ask('archive.find', { workflowId: 'job/ml/train', runId: '5f0c' })).result).toEqual(result);
  });

  it('tells of several jobs of a name which there are, and nothing else of them', async () => {
    await archived({ firstRunId: 'abcdef1', closed: at(1) });
    await archived({ firstRunId: 'abcdef2', closed: at(2) });
    const failure = await failureOf(ask('archive.find', { name: 'train', namespace: 'ml', run: 'abcdef' }));
    const known = (firstRunId: string) => ({
      ...{ runIds: [firstRunId], phase: 'Stopped', startTime: '2026-11-23T10:00:00.000Z' },
    });
    expect(failure).toMatchObject({
      type: 'AmbiguousRun',
      details: [{ remedy: expect.stringContaining('Write more'), workflowId: 'job/ml/train' }],
    });
    expect(failure).toHaveProperty('details.0.known', [known('abcdef2'), known('abcdef1')]);
  });

  it('knows no job of another Temporal namespace that shares the store', async () => {
    await archived({ temporalNamespace: 'theirs' });
    expect(await failureOf(ask('archive.find', { name: 'train', namespace: 'ml' }))).toMatchObject({
      type: 'JobNotFound',
    });
    expect(await failureOf(ask('archive.history', TRAIN))).toMatchObject({ type: 'JobNotFound' });
    expect((await namesOf({})).names).toEqual([]);
  });
});

describe('of an archived job there are', () => {
  it('its ledger, its evidence and its pods', async () => {
    await archived();
    expect(await ask('archive.history', TRAIN)).toEqual({ result: SOME_ENTRIES });
    expect(await ask('archive.history', { ...TRAIN, start: 2 })).toEqual({ result: [SOME_ENTRIES[1]] });
    expect(await ask('archive.history', { ...TRAIN, since: '2026-11-23T11:01:00+01:00' })).toEqual({
      result: [SOME_ENTRIES[1]],
    });
    expect(await ask('archive.evidence', TRAIN)).toEqual({ result: [someRecord()] });
    expect(await ask('archive.pods', TRAIN)).toEqual({ result: [] });
  });

  it('what it had waited for, until it ended', async () => {
    const [submitted, stopped] = SOME_ENTRIES;
    const waits = { ...submitted!, reason: 'Unschedulable' as const, message: '0/4 nodes are available.' };
    await writeArchive(store, { ...(await someContents()), entries: [waits, stopped!] });
    const { result } = await ask('archive.why', TRAIN);
    expect(result).toMatchObject({
      ...{ workflowId: 'job/ml/train', phase: 'Stopped', reasons: [], placements: [], unknown: [] },
      waited: [
        {
          ...{ reason: 'Unschedulable', seconds: 300, times: 1, message: '0/4 nodes are available.' },
          from: '2026-11-23T10:00:00.000Z',
        },
      ],
    });
  });

  it('errors about a file that was cut', async () => {
    const { folder } = await archived();
    await truncate(join(directory, folder, 'ledger.jsonl.gz'), 20);
    expect(await failureOf(ask('archive.history', TRAIN))).toMatchObject({
      ...{ type: 'ArchiveDamaged', nonRetryable: true },
      details: [{ remedy: expect.stringContaining('signalbox audit verify') }],
    });
  });
});
