import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { type KeptReplayer, keepReplayer } from '../../../worker/replay/kept-replayer.ts';
import { type JobHistories, openReplayer } from '../../../worker/replay/replayer.ts';
import { recordedHistory } from '../../replay/recorded-histories.ts';

const EXAMINED = recordedHistory('examined');

let kept: KeptReplayer;

afterEach(() => kept.close());

async function* histories(...workflowIds: string[]): AsyncGenerator<JobHistories> {
  for (const workflowId of workflowIds) yield { workflowId, runs: [EXAMINED] };
}

async function replay(...workflowIds: string[]) {
  const counts: [string, number][] = [];
  for await (const { workflowId, entries } of kept.replayJobs(histories(...workflowIds)))
    counts.push([workflowId, entries.length]);
  return counts;
}

/** Each replayer has a worker, whose number its task queue ends with. */
const opened = () => (Worker as unknown as { readonly replayWorkerCount: number }).replayWorkerCount;

describe('a kept replayer', () => {
  it('replays the jobs of another time with the same worker', async () => {
    kept = keepReplayer({});
    const before = opened();
    expect(await replay('a', 'b')).toEqual([
      ['a', 10],
      ['b', 10],
    ]);
    expect(await replay('c')).toEqual([['c', 10]]);
    expect(opened() - before).toBe(1);
  });

  it('separates the jobs of two callers that use it at the same time', async () => {
    kept = keepReplayer({});
    expect(await Promise.all([replay('a', 'b'), replay('c')])).toEqual([
      [
        ['a', 10],
        ['b', 10],
      ],
      [['c', 10]],
    ]);
  });

  it('continues after a caller has stopped half-way', async () => {
    kept = keepReplayer({});
    for await (const { workflowId } of kept.replayJobs(histories('a', 'b'))) if (workflowId === 'a') break;
    expect(await replay('c')).toEqual([['c', 10]]);
  });
});

it('replayers that open while others close replay all the same', async () => {
  kept = keepReplayer({});
  const replayed = Array.from({ length: 12 }, async (_, index) => {
    await delay(index * 7);
    const replayer = await openReplayer({});
    const { entries, error } = await replayer.replay({ workflowId: `job-${index}`, runs: [EXAMINED] });
    await replayer.close();
    return error?.message ?? entries.length;
  });
  expect(await Promise.all(replayed)).toEqual(Array.from({ length: 12 }, () => 10));
});

it('a replay leaves no hooks of the SDK in the process', async () => {
  kept = keepReplayer({});
  const before = Error.prepareStackTrace;
  await replay('a');
  expect(Error.prepareStackTrace).toBe(before);
});
