import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import pino from 'pino';
import type { ClusterClient } from '../../../cluster/client.ts';
import { ApiError } from '../../../cluster/errors.ts';
import type { KubeObject } from '../../../contracts/kubernetes.ts';
import { volcano } from '../../../gang/volcano.ts';
import { Readiness } from '../../../leader/readiness.ts';
import type { GroupAdapter } from '../../../watcher/groups/group-adapters.ts';
import { followGroups } from '../../../watcher/informers/group-informer.ts';
import { JobStore } from '../../../watcher/store/job-store.ts';
import { eventually } from '../../eventually.ts';
import { anAnchor } from '../fixtures.ts';

type Answer = 'nothing' | 'refused' | 'gone' | readonly KubeObject[];

const answerOf = (status: number, reason: string) =>
  new ApiError('GET podgroups', { status, reason, message: `${reason} by the test` });

describe('the groups of a scheduler', () => {
  let leadership: AbortController;
  let jobs: JobStore;
  let readiness: Readiness;
  let served: boolean;
  let listed: Answer;
  let asked: { lists: number };
  let onListed: jest.Mock<() => void>;
  let following: Promise<void>;
  /** Ends the watch as the API server does when a definition is deleted. */
  let endWatch: () => void;

  beforeEach(() => {
    leadership = new AbortController();
    jobs = new JobStore();
    jobs.anchorsIn().changed(anAnchor(), 1);
    readiness = new Readiness();
    [served, listed, asked, onListed] = [true, [], { lists: 0 }, jest.fn<() => void>()];
  });

  function follow(): void {
    const tools = {
      cluster: { serves, list, watch } as unknown as ClusterClient,
      home: { installation: 'ours' },
      readiness,
      log: pino({ level: 'silent' }),
    };
    following = followGroups(tools, { gang: volcano as GroupAdapter, jobs, onListed }, leadership.signal);
  }

  afterEach(() => {
    leadership.abort();
  });

  async function serves() {
    return served;
  }

  async function list() {
    asked.lists++;
    if (listed === 'refused') throw answerOf(500, 'InternalError');
    if (listed === 'gone') throw answerOf(404, 'NotFound');
    return { items: listed, metadata: { resourceVersion: '7' } };
  }

  async function* watch(_: unknown, { signal }: { signal: AbortSignal }): AsyncGenerator<never> {
    if (listed === 'gone') throw answerOf(404, 'NotFound');
    await new Promise<void>((resolve) => {
      endWatch = resolve;
      signal.addEventListener('abort', () => resolve());
    });
  }

  const digest = () => {
    const job = jobs.job({ namespace: 'default', uid: 'anchor-1' })!;
    return jobs.digestOf(job, job.anchor!);
  };

  const aGroup = (): KubeObject => ({
    apiVersion: 'scheduling.volcano.sh/v1beta1',
    kind: 'PodGroup',
    metadata: {
      name: 'resnet',
      namespace: 'default',
      uid: 'group-1',
      labels: { 'signalbox.dev/attempt': '1' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'resnet.signalbox', uid: 'anchor-1' }],
    },
  });

  const soon = { withinMs: 30_000, everyMs: 10 };
  const untilRead = () =>
    eventually(
      'the group is read',
      () => digest().resourceVersions.groups.volcano === 7 && digest().attempt === 1,
      soon,
    );

  it('do not block the watcher when the cluster does not serve them, and are read when it does', async () => {
    served = false;
    follow();
    await eventually('the watcher goes on', () => onListed.mock.calls.length > 0, soon);
    expect(digest().resourceVersions.groups).toEqual({});
    [served, listed] = [true, [aGroup()]];
    await untilRead();
  });

  it('block the watcher only briefly when they cannot be listed, and it reports that', async () => {
    listed = 'refused';
    follow();
    await eventually('it was tried', () => asked.lists > 1, soon);
    expect([onListed.mock.calls.length, readiness.impairedBy()]).toEqual([0, undefined]);
    await eventually('the watcher goes on', () => onListed.mock.calls.length > 0, soon);
    expect([readiness.why(), readiness.impairedBy()]).toEqual([
      undefined,
      expect.stringMatching(
        /^scheduling.volcano.sh\/v1beta1\/podgroups: .*InternalError by the test; its jobs/,
      ),
    ]);
    listed = [aGroup()];
    await untilRead();
    expect(readiness.impairedBy()).toBeUndefined();
  });

  it('are dropped with their CRD, and come back with it', async () => {
    listed = [aGroup()];
    follow();
    await untilRead();
    [served, listed] = [false, 'gone'];
    endWatch();
    // A watch from where the last one ended is refused as the list is.
    await eventually('they are forgotten', () => digest().attempt === 0, soon);
    expect(digest()).toMatchObject({ resourceVersions: { groups: {} }, gang: undefined });
    expect(readiness.impairedBy()).toBeUndefined();
    [served, listed] = [true, [aGroup()]];
    await untilRead();
  });

  it('are not followed if the leader’s leadership ends while it asks whether they are served', async () => {
    follow();
    leadership.abort();
    await following;
    expect(asked.lists).toBe(0);
  });
});
