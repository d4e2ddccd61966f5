import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { renderLaneRecord } from '../../../contracts/lane-record.ts';
import type { LanePlace } from '../../../contracts/lane-request.ts';
import { LaneNews } from '../../../watcher/lanes/lane-news.ts';
import { LaneRecords } from '../../../watcher/lanes/lane-records.ts';
import { JobStore } from '../../../watcher/store/job-store.ts';
import { anAnchor } from '../fixtures.ts';

const START = 1_767_225_600_000;
const WAITS: LanePlace = { attempt: 1, since: START };
const LANES = { namespace: 'sys', name: 'lanes' };

beforeEach(() => {
  jest.useFakeTimers({ now: START });
});

afterEach(() => {
  jest.useRealTimers();
});

const recordOf = (place: LanePlace, lanes = LANES) =>
  renderLaneRecord(
    {
      ...{ namespace: 'ml', job: 'train', anchorUid: 'anchor-1', place },
      request: { lane: 'all', priority: 0, demand: {}, labels: {} },
    },
    lanes,
  );

/** A loop that has just decided about a job that waits. Returns after how many milliseconds it decides again. */
async function nextDecision(
  happens: (records: LaneRecords, jobs: JobStore) => void,
  afterMs: number,
): Promise<number> {
  const records = new LaneRecords(LANES);
  const jobs = new JobStore();
  const news = new LaneNews(records, jobs);
  records.handlers().changed(recordOf(WAITS), 1);
  news.read();
  const startedAt = Date.now();
  const due = news.untilDue(startedAt, new AbortController().signal).then(() => Date.now() - startedAt);
  await jest.advanceTimersByTimeAsync(afterMs);
  happens(records, jobs);
  await jest.advanceTimersByTimeAsync(2_000);
  return due;
}

const takes = (records: LaneRecords) => records.handlers().changed(recordOf({ ...WAITS, takenAt: START }), 2);

it('lanes are decided on when a job of one changes its place, but not at once again', async () => {
  expect([await nextDecision(takes, 500), await nextDecision(takes, 50)]).toEqual([500, 200]);
});

it('lanes are decided on when the anchor of a job is seen after its record', async () => {
  const isSeen = (_: LaneRecords, jobs: JobStore) => jobs.anchorsIn().changed(anAnchor(), 2);
  expect(await nextDecision(isSeen, 500)).toBe(500);
});

it('lanes are decided on once a second when nothing of them has changed', async () => {
  const elsewhere = (records: LaneRecords) =>
    records.handlers().changed(recordOf(WAITS, { ...LANES, name: 'others' }), 2);
  expect([await nextDecision(() => undefined, 500), await nextDecision(elsewhere, 500)]).toEqual([
    1_000, 1_000,
  ]);
});
