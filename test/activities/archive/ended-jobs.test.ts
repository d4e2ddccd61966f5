import { describe, expect, it } from '@jest/globals';
import type { EndedJobs } from '../../../activities/archive/ended-jobs.ts';
import { Visibility } from './visibility.ts';

const SECOND = 1_000;
const LOOK = 5 * SECOND;
const SHIFT = 600 * SECOND;

/** What an activity says last, and the next one begins with. */
const beatOf = (jobs: EndedJobs, at: string) => {
  jobs.said(at);
  return { since: jobs.since, oldestWaiting: jobs.waiting()[0]?.closed, at };
};

/** Twenty jobs close each second. */
async function busy(visibility: Visibility, jobs: EndedJobs, looks: number): Promise<void> {
  for (let look = 0; look < looks; look++) {
    for (let job = 0; job < 100; job++) {
      visibility.ms += LOOK / 100;
      visibility.close(`${visibility.ms}`);
    }
    await visibility.look(jobs);
  }
}

describe('the cost of a scan for ended jobs', () => {
  it('follows the number of jobs that have closed since the last scan', async () => {
    const visibility = new Visibility();
    const jobs = visibility.newMemory();
    await busy(visibility, jobs, 240);
    expect(visibility.archived).toHaveLength(24_000);
    visibility.listed = visibility.pages = 0;
    await busy(visibility, jobs, 12);
    // Thirty seconds are listed again, 600 jobs; ten minutes were 12,000 jobs and 24 pages.
    expect(visibility.listed / 12).toBeLessThanOrEqual(701);
    expect(visibility.pages / 12).toBe(2);
    expect(visibility.archived).toHaveLength(25_200);
  });

  it('does not grow while a job cannot be archived', async () => {
    const visibility = new Visibility();
    const jobs = visibility.newMemory();
    visibility.close('bad');
    const resultOf = ({ runId }: { runId: string }) => (runId === 'bad' ? 'failed' : 'written');
    await visibility.look(jobs, { resultOf });
    await busy(visibility, jobs, 24);
    visibility.listed = 0;
    await visibility.look(jobs, { resultOf });
    expect(visibility.listed).toBeLessThanOrEqual(601);
    expect(visibility.archived).toContain('bad');
  });

  it('is the same for an activity that continues after another one of its worker', async () => {
    const visibility = new Visibility();
    const jobs = visibility.newMemory();
    visibility.close('bad');
    await visibility.look(jobs, { resultOf: () => 'failed' });
    visibility.ms += 10 * SHIFT;
    visibility.close('new');
    await visibility.look(jobs, { resultOf: () => 'failed' });
    jobs.resume(beatOf(jobs, 'now'));
    visibility.listed = 0;
    await visibility.look(jobs);
    expect(visibility.listed).toBe(1);
  });
});

describe('an ended job', () => {
  it('is archived if visibility shows it late', async () => {
    const visibility = new Visibility();
    const jobs = visibility.newMemory();
    visibility.close('slow', { shownAfterMs: 20 * SECOND });
    visibility.ms += SECOND;
    visibility.close('quick');
    expect(await visibility.look(jobs)).toEqual(['quick']);
    visibility.ms += 19 * SECOND;
    expect(await visibility.look(jobs)).toEqual(['slow']);
  });

  it('is archived by the first scan of the next activity if visibility shows it minutes late', async () => {
    const visibility = new Visibility();
    const jobs = visibility.newMemory();
    visibility.close('slow', { shownAfterMs: SHIFT });
    visibility.ms += 60 * SECOND;
    visibility.close('quick');
    await visibility.look(jobs);
    visibility.ms += SHIFT;
    expect(await visibility.look(jobs)).toEqual([]);
    jobs.resume(beatOf(jobs, 'now'));
    expect(await visibility.look(jobs)).toEqual(['slow']);
  });

  it('is archived by the full scan if visibility shows it hours late', async () => {
    const visibility = new Visibility();
    const jobs = visibility.newMemory();
    visibility.close('slow', { shownAfterMs: 12 * SHIFT });
    visibility.ms += 3 * SHIFT;
    visibility.close('quick');
    await visibility.look(jobs);
    visibility.ms += 12 * SHIFT;
    jobs.resume(beatOf(jobs, 'now'));
    expect(await visibility.look(jobs)).toEqual([]);
    expect(await visibility.look(jobs, { isFull: true })).toEqual(['slow', 'quick']);
  });

  it('is archived if it still waits when another worker continues', async () => {
    const visibility = new Visibility();
    const jobs = visibility.newMemory();
    visibility.close('bad');
    await visibility.look(jobs, { resultOf: () => 'failed' });
    visibility.ms += 10 * SHIFT;
    visibility.close('new');
    await visibility.look(jobs, { resultOf: ({ runId }) => (runId === 'bad' ? 'failed' : 'written') });
    const other = visibility.newMemory();
    other.resume(beatOf(jobs, 'now'));
    expect(await visibility.look(other)).toEqual(['bad', 'new']);
    expect(other.waiting()).toEqual([]);
  });

  it('is archived if a host of Temporal has a clock that is hours ahead', async () => {
    const visibility = new Visibility();
    const jobs = visibility.newMemory();
    visibility.close('ahead', { closed: visibility.at(5 * 3_600 * SECOND) });
    await visibility.look(jobs);
    visibility.ms += LOOK;
    visibility.close('right');
    expect(await visibility.look(jobs)).toEqual(['right']);
  });
});

describe('the count of archived jobs', () => {
  it('does not include archives that a full scan, or another worker, finds again', async () => {
    const visibility = new Visibility();
    const jobs = visibility.newMemory();
    visibility.close('old');
    await visibility.look(jobs);
    visibility.ms += SHIFT;
    visibility.close('newer');
    await visibility.look(jobs);
    const archived: number[] = [];
    const resultOf = (other: EndedJobs) => () => {
      archived.push(other.waiting().length);
      return 'known' as const;
    };
    await visibility.look(jobs, { isFull: true, resultOf: resultOf(jobs) });
    expect(archived).toEqual([0, 0]);
    const another = visibility.newMemory();
    another.resume(beatOf(jobs, 'now'));
    await visibility.look(another, { isFull: true, resultOf: resultOf(another) });
    // Of the last thirty seconds nobody knows.
    expect(archived).toEqual([0, 0, 1, 1]);
  });

  it('a job that failed is retried with growing pauses, and the others do not wait for it', async () => {
    const visibility = new Visibility();
    const jobs = visibility.newMemory();
    visibility.close('bad');
    const tries: number[] = [];
    for (let second = 0; second < 60; second++) {
      const taken = await visibility.look(jobs, { resultOf: () => 'failed' });
      if (taken.includes('bad')) tries.push(second);
      visibility.ms += SECOND;
    }
    expect(tries).toEqual([0, 2, 6, 14, 30]);
    expect(jobs.failed()).toHaveLength(1);
    visibility.close('good');
    expect(await visibility.look(jobs)).toEqual(['good']);
  });

  it('a job that waits for the watcher is checked by each scan', async () => {
    const visibility = new Visibility();
    const jobs = visibility.newMemory();
    visibility.close('cut');
    await visibility.look(jobs, { resultOf: () => 'waiting' });
    visibility.ms += 2 * 60 * SECOND;
    expect(jobs.waiting()).toHaveLength(1);
    expect(await visibility.look(jobs)).toEqual(['cut']);
    expect(jobs.waiting()).toEqual([]);
  });
});
