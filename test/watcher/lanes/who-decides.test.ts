import { describe, expect, it } from '@jest/globals';
import type { ConfigMap } from '../../../contracts/kubernetes.ts';
import { type LaneRecord, renderLaneRecord } from '../../../contracts/lane-record.ts';
import { parseLanes } from '../../../contracts/schemas/lanes.ts';
import { decideLanes } from '../../../queue/lanes/decide-lanes.ts';
import { entryOfJob } from '../../../queue/lanes/entry-of-job.ts';
import { inLane, recordedJobs } from '../../../watcher/lanes/jobs-in-lanes.ts';
import { LaneRecords } from '../../../watcher/lanes/lane-records.ts';
import { JobStore } from '../../../watcher/store/job-store.ts';
import { anAnchor, aPod, READY } from '../fixtures.ts';

/** What decisions about lanes rest on, and who can write it: the table of docs/security.md. */

const LANES = { namespace: 'sys', name: 'lanes' };
const read = parseLanes({
  lanes: { main: { capacity: { pods: 4 } }, closed: { capacity: { pods: 4 }, namespaces: ['prod'] } },
});
if ('faults' in read) throw new Error(JSON.stringify(read.faults));
const { lanes } = read;

const recordOf = (anchorUid: string, more: Partial<LaneRecord> = {}): LaneRecord => ({
  ...{ namespace: 'default', job: 'train', anchorUid },
  request: { lane: 'main', priority: 0, demand: { pods: '4' }, labels: {} },
  place: { attempt: 1, since: 1, takenAt: 2 },
  ...more,
});

/** A watcher that has read these, in any namespace. */
function aWatcher({ records = [], anchors = [], pods = [] }: Partial<Record<string, readonly object[]>>) {
  const jobs = new JobStore();
  const known = new LaneRecords(LANES);
  for (const one of records) known.handlers().changed(one as ConfigMap, 1);
  for (const one of anchors) jobs.anchorsIn().changed(one as ConfigMap, 1);
  for (const one of pods) jobs.podsIn().changed(one as never, 1);
  return recordedJobs(known, jobs).flatMap((one) => inLane(one) ?? []);
}

const withAnnotations = (anchor: ConfigMap, annotations: object): ConfigMap => ({
  ...anchor,
  metadata: { ...anchor.metadata, annotations: { ...anchor.metadata.annotations, ...annotations } },
});
const claims = {
  'signalbox.dev/lane': '{"lane":"main","priority":1000000000,"demand":{"pods":"-100"},"labels":{}}',
  'signalbox.dev/lane-place': '{"attempt":1,"since":1,"takenAt":2}',
};
const written = (more: Partial<LaneRecord> = {}) => renderLaneRecord(recordOf('anchor-1', more), LANES);

describe('who may write in the namespace of a job', () => {
  it.each([
    ['has no job in a lane by an anchor alone', { anchors: [withAnnotations(anAnchor(), claims)] }, []],
    [
      'changes nothing of a place by annotations of its anchor',
      { records: [written()], anchors: [withAnnotations(anAnchor(), claims)] },
      [{ request: { priority: 0, demand: { pods: '4' } } }],
    ],
    [
      'gives nothing back by an end on its anchor',
      { records: [written()], anchors: [anAnchor({ phase: 'Completed' })] },
      [{ request: { demand: { pods: '4' } } }],
    ],
    ['gives nothing back by deleting its anchor before its pods are gone', { records: [written()] }, [{}]],
    [
      'can have its own job wait for ever',
      {
        records: [written({ place: { attempt: 1, since: 1 } })],
        anchors: [anAnchor({ phase: 'Completed' })],
      },
      [],
    ],
    [
      'keeps of an ended job no more than its pods request',
      { records: [written({ hasEnded: true })], anchors: [anAnchor()], pods: [aPod({ status: READY })] },
      [{ request: { demand: { pods: '1' } }, hasEnded: true }],
    ],
    ['keeps nothing of an ended job without pods', { records: [written({ hasEnded: true })] }, []],
  ])('%s', (_, cluster, expected) => {
    expect(aWatcher(cluster as never)).toMatchObject(expected);
  });
});

describe('a record', () => {
  const { data, ...record } = written();
  it.each([
    ['with a negative demand', { data: { ...data, request: claims['signalbox.dev/lane'] } }],
    ['of other lanes', { data: { ...data, lanes: 'others' } }],
    ['under another name', { data, metadata: { ...record.metadata, name: 'signalbox-lane-anchor-2' } }],
    ['without a job', { data: { ...data, of: '{}' } }],
  ])('%s is none', (_, changes) => {
    expect(aWatcher({ records: [{ ...record, ...changes }], anchors: [anAnchor()] })).toEqual([]);
  });

  it('of a namespace that may not use its lane holds its pool, and nothing of the lane', () => {
    const holder = recordOf('anchor-1', {
      request: { lane: 'closed', priority: 0, demand: { pods: '3' }, labels: {} },
    });
    const jobs = aWatcher({ records: [renderLaneRecord(holder, LANES)], anchors: [anAnchor()] });
    const entries = jobs.map((job) => entryOfJob(job, 3));
    const capacity = new Map(
      Object.entries(lanes.pools).flatMap(([name, pool]) =>
        'capacity' in pool ? [[name, pool.capacity]] : [],
      ),
    );
    const next = { ...entries[0]!, uid: 'next', namespace: 'prod', granted: undefined };
    const decision = decideLanes({ at: 3, lanes, capacity, entries: [...entries, next as never] });
    expect(decision.grants).toEqual([]);
    expect(decision.lanes.find(({ lane }) => lane === 'closed')?.used.size).toBe(0);
  });
});
