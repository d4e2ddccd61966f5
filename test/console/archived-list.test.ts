import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { writeArchive } from '../../record/archive/archive-writer.ts';
import { FileArchiveStore } from '../../record/archive/file-archive-store.ts';
import { updateIndex } from '../../record/index/archive-index.ts';
import { appendToLog } from '../../record/log/append.ts';
import { SOME_ENTRIES, someContents, someRecord } from '../record/archive/some-job.ts';
import { aSigner } from '../record/log/a-log.ts';
import { SAMPLE } from '../record/report/sample-job.ts';
import { RUNNING } from './jobs.ts';
import { type OpenedConsole, openConsole } from './opened-console.ts';

/** A list whose older jobs only the archive has. */

const ARCHIVED = 120;

let directory: string;
let console_: OpenedConsole;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-archived-list-'));
  const store = new FileArchiveStore(directory);
  const signer = aSigner();
  for (let number = 0; number < ARCHIVED; number += 1)
    await appendToLog(store, signer, [await writeArchive(store, await contentsOf(number))]);
  await updateIndex(store);
  // One more that the index does not have yet, and one that Temporal has, too.
  const more = [await contentsOf(ARCHIVED), await contentsOf(ARCHIVED + 1, SAMPLE.firstRunId)];
  for (const one of more) await appendToLog(store, signer, [await writeArchive(store, one)]);
  console_ = await openConsole([RUNNING, SAMPLE], {}, { archive: { store: { store: 'files', directory } } });
  console_.servers.next = undefined;
});
afterAll(async () => {
  await console_.stop();
  await rm(directory, { recursive: true, force: true });
});

const runOf = (number: number) => `019f0000-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** Each ended a minute after the one before; every third is of another namespace. */
async function contentsOf(number: number, firstRunId = runOf(number)) {
  const namespace = number % 3 === 0 ? 'nlp' : 'ml';
  const name = `old-${number}`;
  const at = (entry: { readonly at: string }) =>
    new Date(Date.parse(entry.at) + number * 60_000).toISOString();
  const entries = SOME_ENTRIES.map((entry) => ({ ...entry, at: at(entry) }));
  const contents = await someContents({ name, namespace, firstRunId });
  const log = { lines: ['Killed by a test'], truncated: false };
  const container = { name: 'pytorch', log } as never;
  return { ...contents, entries, evidence: [{ ...someRecord(), containers: [container] }] };
}

const namesIn = (text: string) =>
  [...text.matchAll(/<a href="\/jobs\/[^"]+">([^<]+)<\/a><br>/g)].map(([, name]) => name);
const nextIn = (text: string) =>
  /href="(\/\?[^"]*after=archived[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');

it('goes on in the archive after the jobs of Temporal, page by page, each job once', async () => {
  const seen: (string | undefined)[] = [];
  let path: string | undefined = '/';
  const sizes: number[] = [];
  while (path !== undefined) {
    const { text } = await console_.get(path);
    const names = namesIn(text);
    sizes.push(names.length);
    seen.push(...names);
    path = nextIn(text);
  }
  expect(sizes).toEqual([50, 50, 23]);
  const old = Array.from({ length: ARCHIVED + 1 }, (_, number) => `old-${ARCHIVED - number}`);
  expect(seen).toEqual(['train', 'resnet', ...old]);
});

it('counts them, marks them, and links to the very run', async () => {
  const { text } = await console_.get('/');
  expect(text).toContain('Stopped <b>121</b>');
  expect(text).toContain('ml · PyTorchJob · archived');
  expect(text).toContain(`href="/jobs/nlp/old-${ARCHIVED}?run=${runOf(ARCHIVED).slice(0, 13)}"`);
});

it('the filters of the address are those of the archive, too', async () => {
  const { text } = await console_.get('/?namespace=nlp&submittedBy=ana');
  expect(namesIn(text)).toHaveLength(41);
  expect(text).toContain('Stopped <b>41</b>');
  expect(namesIn((await console_.get('/?name=old-7&phase=Stopped')).text)).toContain('old-7');
  expect(namesIn((await console_.get('/?phase=Failed')).text)).not.toContain('old-7');
});

it('an archived job has a page, its log, a report, and can be run again but nothing else', async () => {
  const path = '/jobs/ml/old-7';
  const { status, text } = await console_.get(path);
  expect(status).toBe(200);
  for (const words of [
    'it is read from the archive',
    'id="ledger"',
    'bob stopped the job.',
    `${path}/do/rerun`,
  ])
    expect(text).toContain(words);
  expect(text).not.toContain('data-stream');
  expect((await console_.get(`${path}/logs`)).text).toContain('Killed by a test');
  expect((await console_.get(`${path}/report`)).text).toContain('<title>');
  expect(await console_.post(`${path}/do/rerun`, { why: 'a test' })).toMatchObject({ status: 303 });
  expect(console_.servers.heard.at(-1)).toMatchObject({
    what: 'rerun job/ml/old-7',
    request: { why: 'a test' },
  });
  const stop = await console_.post(`${path}/do/stop`, { why: 'a test', confirm: 'old-7' });
  expect(stop).toMatchObject({ status: 409, text: expect.stringContaining('The job has already ended.') });
  const wrong = await console_.get(`${path}?run=01a2b3c4`);
  expect(wrong.status).toBe(404);
});

it('without the directory of an archive there are the jobs of Temporal, and while it cannot be read it says so', async () => {
  const none = await openConsole(
    [RUNNING],
    {},
    { archive: { store: { store: 'files', directory: join(directory, 'not-there') } } },
  );
  none.servers.next = undefined;
  expect((await none.get('/')).text).not.toContain('Jobs that only the archive has');
  await none.stop();
  const broken = await openConsole(
    [RUNNING],
    {},
    {
      archive: { store: { store: 's3', bucket: 'none', endpoint: 'http://127.0.0.1:9', region: 'x' } },
    },
  );
  broken.servers.next = undefined;
  const { status, text } = await broken.get('/');
  expect(status).toBe(200);
  expect(text).toContain('Jobs that only the archive has are not here.');
  await broken.stop();
});
