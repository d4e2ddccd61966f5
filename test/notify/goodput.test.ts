import { describe, expect, it } from '@jest/globals';
import { type Client, defaultPayloadConverter } from '@temporalio/client';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import type { AttemptGoodput } from '../../client/use-cases/cost/attempt-goodput.ts';
import { goodputReader } from '../../notify/goodput-reader.ts';
import { noticesOfJob } from '../../notify/news/notices-of.ts';
import type { TimedState } from '../../notify/news/timed-states.ts';
import { withGoodput } from '../../notify/news/with-goodput.ts';
import { whenSchema } from '../../notify/routes/when.ts';
import { recordedHistory } from '../replay/recorded-histories.ts';

const JOB = { workflowId: 'job/ml/train', runId: 'r', namespace: 'ml', name: 'train', kind: 'PyTorchJob' };

const states = (...given: readonly (readonly [TimedState['phase'], number])[]): TimedState[] =>
  given.map(([phase, attempt], index) => ({
    ...{ key: `r/${index + 1}`, at: new Date(index * 60_000).toISOString(), phase, attempt },
  }));

const COURSE = states(
  ['Pending', 1],
  ['Running', 1],
  ['Restarting', 1],
  ['Restarting', 1],
  ['Running', 2],
  ['Failed', 2],
);

const of = (least: number, most = least): AttemptGoodput => ({ resource: 'nvidia.com/gpu', least, most });

async function told(course: readonly TimedState[], known: ReadonlyMap<number, AttemptGoodput>, from = 0) {
  const read = await withGoodput(course, from, () => Promise.resolve(known));
  const when = whenSchema.parse({ goodputBelow: 0.5 });
  return noticesOfJob(JOB, read, { when, from, now: 3_600_000 });
}

describe('the goodput of an attempt', () => {
  it('is told when it is below the bound as the attempt ends, once', async () => {
    const notices = await told(COURSE, new Map([...[[1, of(0.3)] as const], [2, of(0.2, 0.4)]]));
    expect(notices.map(({ key, message, remedy }) => [key, message, remedy])).toEqual([
      [
        'r/3',
        'Attempt 1 used 30.0 % of the time of its nvidia.com/gpu productively; the route asks for 50.0 %.',
        '`signalbox cost train -n ml` says what the rest of the time was for.',
      ],
      ['r/6', expect.stringContaining('Attempt 2 used at most 40.0 %'), expect.anything()],
    ]);
  });

  it.each([
    ['is enough', COURSE, new Map([[1, of(0.5)]]), 0],
    ['may be enough', COURSE, new Map([[1, of(0, 1)]]), 0],
    ['is not known', COURSE, new Map(), 0],
    ['is of an attempt that goes on', COURSE.slice(0, 2), new Map([[1, of(0.1)]]), 0],
    ['was there before the notifier', COURSE.slice(0, 3), new Map([[1, of(0.1)]]), 130_000],
    ['is of an end while it restarts', states(['Restarting', 1], ['Stopped', 1]), new Map([[1, of(0.1)]]), 0],
  ])('is not told if it %s', async (_, course, known, from) => {
    expect(await told(course, known, from)).toEqual([]);
  });

  it('is asked for once an attempt has ended', async () => {
    let asked = 0;
    const read = () => {
      asked += 1;
      return Promise.resolve(new Map([[1, of(0.3)]]));
    };
    await withGoodput(COURSE.slice(0, 2), 0, read);
    expect(asked).toBe(0);
    const once = await withGoodput(COURSE.slice(0, 3), 0, read);
    await withGoodput([...once, COURSE[3]!], 0, read);
    expect(asked).toBe(1);
  });
});

describe('what histories tell of it', () => {
  const clientOf = (name: string) =>
    ({
      options: { loadedDataConverter: { payloadConverter: defaultPayloadConverter, payloadCodecs: [] } },
      workflow: { getHandle: () => ({ fetchHistory: async () => historyFromJSON(recordedHistory(name)) }) },
    }) as unknown as Client;

  it('is known without a worker, for each attempt', async () => {
    const read = goodputReader(clientOf('gang-restarted'), { log: { warn: () => undefined } });
    const found = await read(JOB, Date.parse('2100-01-01T00:00:00Z'));
    expect([...found.keys()]).toEqual([1, 2]);
    for (const { least, most } of found.values()) {
      expect(least).toBeGreaterThanOrEqual(0);
      expect(most).toBeLessThan(1);
    }
  });

  it('is left out, and said, where they do not replay', async () => {
    const warnings: unknown[] = [];
    const broken = { ...clientOf('failed'), workflow: { getHandle: () => ({ fetchHistory: fail }) } };
    const read = goodputReader(broken as unknown as Client, {
      log: { warn: (one: unknown) => warnings.push(one) },
    });
    expect(await read(JOB, 0)).toEqual(new Map());
    expect(warnings).toMatchObject([{ workflowId: JOB.workflowId }]);
  });
  const fail = () => Promise.reject(new Error('the history is gone'));
});
