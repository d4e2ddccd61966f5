import type { Client } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { expiryOf } from '../../../activities/anchors/expiry-time.ts';
import { expireJobs } from '../../../watcher/anchors/expiry.ts';
import { JobStore } from '../../../watcher/store/job-store.ts';
import { eventually } from '../../eventually.ts';
import { anAnchor } from '../fixtures.ts';

const DAY_MS = 86_400_000;
const ENDED = '2026-01-01T00:00:00.000Z';

describe('until when what is left of an ended job is kept', () => {
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
  it('has what has expired removed, and nothing else', async () => {
    const book = new JobStore();
    const anchor = (job: string, phase: string, expiresAt?: string) => {
      const made = anAnchor({ job, uid: job, phase });
      const annotations = { ...made.metadata.annotations };
      if (expiresAt) annotations['signalbox.dev/expires-at'] = expiresAt;
      return { ...made, metadata: { ...made.metadata, annotations } };
    };
    const [past, future] = ['2026-01-01T00:00:00Z', '2126-01-01T00:00:00Z'];
    book.anchors.replaced(
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
    const term = new AbortController();
    const temporal = { workflow: { start } } as unknown as Client;
    const expired = (now: number) => book.expiredAnchors(now);
    const how = { taskQueue: 'jobs', clusterId: 'here', intervalMs: 60_000, onError: () => undefined };
    const expiring = expireJobs({ temporal, expired, ...how }, term.signal);
    await eventually('something expires', () => started.length > 0, { everyMs: 5 });
    term.abort();
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
