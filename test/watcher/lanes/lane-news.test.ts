import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { ConfigMap } from '../../../contracts/kubernetes.ts';
import { ANNOTATIONS } from '../../../contracts/labels.ts';
import { formatLanePlace, formatLaneRequest, type LanePlace } from '../../../contracts/lane-request.ts';
import { LaneNews } from '../../../watcher/lanes/lane-news.ts';
import { JobStore } from '../../../watcher/store/job-store.ts';
import { anAnchor, aPod, READY } from '../fixtures.ts';

const START = 1_767_225_600_000;
const WAITS: LanePlace = { attempt: 1, since: START };

beforeEach(() => {
  jest.useFakeTimers({ now: START });
});

afterEach(() => {
  jest.useRealTimers();
});

function inLane(place: LanePlace): ConfigMap {
  const { metadata, ...anchor } = anAnchor();
  const request = { lane: 'all', priority: 0, demand: {}, labels: {} };
  const annotations = {
    ...metadata.annotations,
    [ANNOTATIONS.lane]: formatLaneRequest(request),
    [ANNOTATIONS.lanePlace]: formatLanePlace(place),
  };
  return { ...anchor, metadata: { ...metadata, annotations } };
}

/** A loop that has just decided about a job that waits. Returns after how many milliseconds it decides again. */
async function nextDecision(happens: (jobs: JobStore) => void, afterMs: number): Promise<number> {
  const jobs = new JobStore();
  const news = new LaneNews(jobs);
  jobs.anchorsIn().changed(inLane(WAITS), 1);
  news.read();
  const startedAt = Date.now();
  const due = news.untilDue(startedAt, new AbortController().signal).then(() => Date.now() - startedAt);
  await jest.advanceTimersByTimeAsync(afterMs);
  happens(jobs);
  await jest.advanceTimersByTimeAsync(2_000);
  return due;
}

const takes = (jobs: JobStore) => jobs.anchorsIn().changed(inLane({ ...WAITS, takenAt: START }), 2);

it('lanes are decided on when a job of one changes its place, but not at once again', async () => {
  expect([await nextDecision(takes, 500), await nextDecision(takes, 50)]).toEqual([500, 200]);
});

it('lanes are decided on once a second when nothing of them has changed', async () => {
  const starts = (jobs: JobStore) => jobs.podsIn().changed(aPod({ status: READY }), 2);
  const elsewhere = (jobs: JobStore) =>
    jobs.anchorsIn().changed(anAnchor({ job: 'other', uid: 'anchor-2' }), 2);
  expect([await nextDecision(starts, 500), await nextDecision(elsewhere, 500)]).toEqual([1_000, 1_000]);
});
