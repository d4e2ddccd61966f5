import { describe, expect, it } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { expiryOf } from '../../../activities/anchors/expiry-time.ts';
import { type AnchorFacts, anchorFacts } from '../../../watcher/anchors/anchor-facts.ts';
import { expireJobs } from '../../../watcher/anchors/expiry.ts';
import { JobStore } from '../../../watcher/store/job-store.ts';
import { eventually } from '../../eventually.ts';
import { anAnchor } from '../fixtures.ts';

const DAY_MS = 86_400_000;
const ENDED = '2026-01-01T00:00:00.000Z';

describe('the expiry of an ended job', () => {
  it.each([
    ['as the setting has it', { keepEndedMs: DAY_MS }, undefined, '2026-01-02T00:00:00.000Z'],
    ['as its manifest has it, which wins', { keepEndedMs: DAY_MS }, 60, '2026-01-01T00:01:00.000Z'],
    ['as its manifest has it, also where others are kept for ever', {}, 0, ENDED],
    ['for ever', {}, undefined, undefined],
  ])('is %s', (_, settings, ttlSeconds, expected) => {
    const annotations = expiryOf(settings, { completionTime: ENDED, ttlSeconds });
    expect(annotations['signalbox.dev/expires-at']).toBe(expected);
  });
});

describe('a watcher', () => {
  it('expires jobs whose time is over, and no others', async () => {
    const jobs = new JobStore();
    const anchor = (job: string, phase: string, expiresAt?: string) => {
      const made = anAnchor({ job, uid: job, phase });
      const annotations = { ...made.metadata.annotations };
      if (expiresAt) annotations['signalbox.dev/expires-at'] = expiresAt;
      return { ...made, metadata: { ...made.metadata, annotations } };
    };
    const [past, future] = ['2026-01-01T00:00:00Z', '2126-01-01T00:00:00Z'];
    jobs
      .anchorsIn()
      .replaced(
        [
          anchor('old', 'Completed', past),
          anchor('young', 'Failed', future),
          anchor('kept', 'Stopped'),
          anchor('running', 'Running', past),
        ],
        1,
      );
    const started: unknown[] = [];
    const start = async (type: string, options: object) => void started.push([type, options]);
    const leadership = new AbortController();
    const temporal = { workflow: { start } } as unknown as Client;
    const endedAnchors = () => jobs.endedAnchors();
    const how = { taskQueue: 'jobs', clusterId: 'here', intervalMs: 60_000, onError: () => undefined };
    const confirmServers = async () => undefined;
    const expiring = expireJobs({ temporal, endedAnchors, confirmServers, ...how }, leadership.signal);
    await eventually('something expires', () => started.length > 0, { everyMs: 5 });
    leadership.abort();
    await expiring;
    expect(started).toEqual([
      [
        'expireJob',
        expect.objectContaining({
          workflowId: expect.stringMatching(/^expire.default.old(.signalbox)?.old$/),
          taskQueue: 'jobs',
          args: [
            {
              namespace: 'default',
              anchorName: 'old.signalbox',
              anchorUid: 'old',
              clusterId: 'here',
            },
          ],
        }),
      ],
    ]);
  });
});

describe('the expiry of many jobs', () => {
  const jobs = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, index) => ({
      ...anchorFacts(anAnchor({ job: `${prefix}${index}`, uid: `${prefix}${index}` }))!,
      expiresAt: 0,
    }));

  /** Returns the jobs whose expiry was started, after some rounds. */
  async function expiredIn(
    rounds: number,
    expired: readonly AnchorFacts[],
    { fails = () => false }: { readonly fails?: (id: string) => boolean } = {},
  ) {
    const started: string[] = [];
    const errors: (string | undefined)[] = [];
    const start = async (_: string, { workflowId }: { workflowId: string }) => {
      if (fails(workflowId)) throw new Error('refused');
      started.push(workflowId.split('/')[2]!);
    };
    const leadership = new AbortController();
    let round = 0;
    const expiring = expireJobs(
      {
        temporal: { workflow: { start } } as unknown as Client,
        endedAnchors: () => {
          round++;
          return expired;
        },
        confirmServers: async () => undefined,
        onError: (_, anchor) => errors.push(anchor?.name),
        ...{ taskQueue: 'jobs', intervalMs: 5 },
      },
      leadership.signal,
    );
    await eventually('the rounds are over', () => round > rounds, { everyMs: 2 });
    leadership.abort();
    await expiring;
    return { started, errors };
  }

  it('includes all jobs, although one cannot be started', async () => {
    const fails = (id: string) => id.includes('bad');
    const { started, errors } = await expiredIn(1, [...jobs(3, 'bad'), ...jobs(2, 'good')], { fails });
    expect(started).toEqual(['good0', 'good1']);
    expect(errors).toEqual(['bad0.signalbox']);
  });

  it('does not wait for a hundred jobs that never end', async () => {
    const { started } = await expiredIn(2, [...jobs(150, 'stays'), ...jobs(1, 'good')]);
    expect(started).toHaveLength(151);
    expect(started.at(-1)).toBe('good0');
  });
});
