import { setTimeout as delay } from 'node:timers/promises';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { ArchiveProgress } from '../../contracts/archiver.ts';
import { bar } from '../print/bar.ts';
import { createProgress } from '../print/progress.ts';

const LOOK_MS = 500;

/** Waits until a request to the archiver is done. Until then shows how far it is, and only on a terminal. */
export async function requestDone(
  { archiver }: Pick<SignalboxClient, 'archiver'>,
  number: number,
  stream: NodeJS.WriteStream = process.stderr,
): Promise<ArchiveProgress> {
  const shown = stream.isTTY ? createProgress(stream) : undefined;
  try {
    for (;;) {
      const progress = await archiver.progress(number);
      if (!progress) throw new Error(`Archive request ${number} has expired.`);
      if (progress.state === 'done') return progress;
      shown?.step(progress.state === 'waiting' ? 'waiting for earlier requests' : 'archiving');
      shown?.detail(countOf(progress));
      await delay(LOOK_MS);
    }
  } finally {
    shown?.end();
  }
}

function countOf({ archived, known, failed, of }: ArchiveProgress): string {
  if (of === undefined) return '';
  const faults =
    failed.length > 0 ? `, ${failed.length} not: ${failed[0]!.workflowId}: ${failed[0]!.why}` : '';
  return `${bar(Math.min(archived + known + failed.length, of), of)}${faults}`;
}
