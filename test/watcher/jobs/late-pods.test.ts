import { describe, expect, it } from '@jest/globals';
import { LatePods } from '../../../watcher/jobs/late-pods.ts';
import { JobStore } from '../../../watcher/store/job-store.ts';
import { anAnchor, aPod, ended, READY } from '../fixtures.ts';

interface Choice {
  readonly phase?: string;
  readonly cleanUp?: string;
  readonly pod?: Parameters<typeof aPod>[0];
}

function bookOf({ phase = 'Completed', cleanUp = 'Running', pod }: Choice): JobStore {
  const jobs = new JobStore();
  const { metadata, ...anchor } = anAnchor({ phase });
  const annotations = { ...metadata.annotations, 'signalbox.dev/clean-up': cleanUp };
  jobs.anchorsIn().changed({ ...anchor, metadata: { ...metadata, annotations } }, 1);
  jobs.podsIn().changed(aPod({ status: READY, ...pod }), 2);
  return jobs;
}

const inTwoRounds = (jobs: JobStore) => {
  const late = new LatePods();
  return [late.findJobs(jobs.jobs).length, late.findJobs(jobs.jobs).length];
};

describe('a pod of an ended job', () => {
  it('is late if the clean-up would have removed it, and it was there in the round before, too', () => {
    expect(inTwoRounds(bookOf({}))).toEqual([0, 1]);
  });

  it('is late if only its sidecars still run, also where the policy keeps all pods', () => {
    const containerStatuses = [ended('pytorch', 0), { name: 'proxy', ready: true, state: { running: {} } }];
    const pod: Choice['pod'] = { restartPolicy: 'Never', status: { phase: 'Running', containerStatuses } };
    expect(inTwoRounds(bookOf({ cleanUp: 'None', pod }))).toEqual([0, 1]);
    expect(inTwoRounds(bookOf({ cleanUp: 'Running', pod }))).toEqual([0, 1]);
    expect(
      inTwoRounds(bookOf({ cleanUp: 'None', pod: { ...pod, deletedAt: '2026-01-01T00:05:30Z' } })),
    ).toEqual([0, 0]);
  });

  it.each<[string, Choice]>([
    ['the job has not ended', { phase: 'Running' }],
    ['the policy keeps all pods', { cleanUp: 'None' }],
    ['the record does not say what was removed', { cleanUp: '' }],
    ['it is leaving', { pod: { deletedAt: '2026-01-01T00:05:30Z' } }],
    ['it has ended', { pod: { status: { phase: 'Succeeded' } } }],
    ['it is a copy with another name', { pod: { name: 'resnet-debug' } }],
  ])('is not late if %s', (_, choice) => {
    expect(inTwoRounds(bookOf(choice))).toEqual([0, 0]);
  });
});
