import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archiveIn } from '../../../record/archive/archive-reader.ts';
import { writeArchive, writeHistory } from '../../../record/archive/archive-writer.ts';
import { FileArchiveStore } from '../../../record/archive/file-archive-store.ts';
import { gzippedHistory } from '../../../record/archive/gz-history.ts';
import { longHistory } from './long-history.ts';
import { someContents } from './some-job.ts';

/** A program that gets little memory: archives a job of so many runs and events, reads it again, and prints what it read. */

const [runs, length] = process.argv.slice(2).map(Number) as [number, number];

const folder = await mkdtemp(join(tmpdir(), 'signalbox-long-'));
try {
  const store = new FileArchiveStore(folder);
  const contents = await someContents();
  const histories = [];
  for (let number = 1; number <= runs; number++) {
    const history = longHistory(length);
    const events = history.events?.length ?? 0;
    const zipped = { number, runId: `run-${number}`, events, bytes: await gzippedHistory(history) };
    histories.push(await writeHistory(store, contents.job, zipped));
  }
  await writeArchive(store, { ...contents, histories });
  const archive = await archiveIn(store).find({ namespace: 'ml', name: 'train' });
  const read = [];
  for await (const { runId, history } of archive!.histories())
    read.push({ runId, events: history.events?.length, last: String(history.events?.at(-1)?.eventId) });
  process.stdout.write(JSON.stringify(read));
} finally {
  await rm(folder, { recursive: true, force: true });
}
