import { describe, expect, it } from '@jest/globals';
import { type Client, defaultPayloadConverter } from '@temporalio/client';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { MessagesDue } from '../../notify/news/messages-due.ts';
import { NewsOfJobs } from '../../notify/news/news-of-jobs.ts';
import { whenSchema } from '../../notify/routes/when.ts';
import { listWorkflows } from '../../temporal/list-workflows.ts';
import { allOf } from '../record/archive/all-of.ts';
import { recordedHistory } from '../replay/recorded-histories.ts';
import { FAILED, listed } from '../temporal/raw-workflows.ts';

const CLOSED_AT = Date.parse('2100-01-01T00:00:00Z');
const routes = { ends: { to: 'ops', when: whenSchema.parse({ phase: 'Failed' }) } };
const looking = { routes, from: 0, now: CLOSED_AT };

/** A server with failed jobs of these names, which cannot read the histories of some. */
function serverOf(names: readonly string[], unreadable: Set<string>): Client {
  const events = (historyFromJSON(recordedHistory('failed')).events ?? []).toReversed();
  const options = {
    namespace: 'default',
    loadedDataConverter: { payloadConverter: defaultPayloadConverter, payloadCodecs: [] },
  };
  const jobs = names.map((name) => ({
    ...{ workflowId: `job/ml/${name}`, runId: name, closedAt: CLOSED_AT, status: FAILED },
  }));
  const workflowService = {
    listWorkflowExecutions: async () => listed(...jobs),
    getWorkflowExecutionHistoryReverse: async ({ execution }: { execution: { runId: string } }) => {
      if (unreadable.has(execution.runId)) throw new Error('the shard is away');
      return { history: { events } };
    },
  };
  return { options, workflowService } as unknown as Client;
}

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;

describe('a job whose history cannot be read', () => {
  const open = async () => {
    const unreadable = new Set(['b']);
    const server = serverOf(['a', 'b', 'c'], unreadable);
    const jobs = await allOf(listWorkflows(server, { query: '' }));
    const news = new NewsOfJobs(server);
    const lookAfter = (ms: number) => news.look(jobs, { ...looking, now: CLOSED_AT + ms });
    return { unreadable, lookAfter };
  };

  it('is told later, and keeps no other from being told', async () => {
    const { unreadable, lookAfter } = await open();
    const first = await lookAfter(0);
    expect(first).toMatchObject({
      ...{ failure: undefined, isBehind: true, givenUp: [] },
      unread: { count: 1, why: { message: 'the shard is away' } },
    });
    expect(first.notices.map(({ notice }) => notice.job?.name)).toEqual(['a', 'c']);
    unreadable.clear();
    const second = await lookAfter(2 * SECOND_MS);
    expect(second).toMatchObject({ isBehind: false, unread: { count: 0 } });
    expect(second.notices.map(({ notice }) => notice.job?.name)).toEqual(['b']);
  });

  it('is tried with longer and longer pauses, and given up after an hour', async () => {
    const { unreadable, lookAfter } = await open();
    let reads = 0;
    unreadable.has = (runId) => {
      if (runId === 'b') reads += 1;
      return runId === 'b';
    };
    const givenUp: string[] = [];
    for (let ms = 0; ms <= 2 * HOUR_MS; ms += 2 * SECOND_MS) givenUp.push(...(await lookAfter(ms)).givenUp);
    expect(givenUp).toEqual(['job/ml/b']);
    expect(reads).toBeLessThan(25);
    expect(await lookAfter(2 * HOUR_MS)).toMatchObject({ isBehind: false, unread: { count: 1 } });
  });
});

it('a thousand jobs that fail at once are read once, and are few messages', async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `job-${index}`);
  const server = serverOf(names, new Set());
  const jobs = await allOf(listWorkflows(server, { query: '' }));
  const news = new NewsOfJobs(server);
  const due = new MessagesDue();
  due.add((await news.look(jobs, looking)).notices);
  due.add((await news.look(jobs, looking)).notices);
  const messages = due.take(0);
  expect(messages.map(({ notices }) => notices.length)).toEqual([200, 200, 200, 200, 200]);
  const told = messages.flatMap(({ notices }) => notices.map(({ job }) => job?.name));
  expect(new Set(told).size).toBe(1_000);
});

it('where nothing can be read, not every job is tried', async () => {
  const names = Array.from({ length: 200 }, (_, index) => `job-${index}`);
  let reads = 0;
  const unreadable = new Set(names);
  unreadable.has = () => {
    reads += 1;
    return true;
  };
  const server = serverOf(names, unreadable);
  const jobs = await allOf(listWorkflows(server, { query: '' }));
  const { notices, failure } = await new NewsOfJobs(server).look(jobs, looking);
  expect([notices.length, failure?.message]).toEqual([0, 'the shard is away']);
  expect(reads).toBeLessThan(40);
});
