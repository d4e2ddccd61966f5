import { describe, expect, it } from '@jest/globals';
import { scheduleWarnings } from '../../../../client/use-cases/schedules/manifest-of-schedule.ts';
import { scheduleOptions } from '../../../../client/use-cases/schedules/schedule-request.ts';
import type { ScheduleRequest } from '../../../../client/use-cases/schedules/schedule-types.ts';

/** A CronJob of Volcano is the schedule that it says. */

const DEFAULTS = { namespace: 'default', taskQueue: 'signalbox', submittedBy: 'ana' };
const containers = [{ name: 'main', image: 'train:1' }];
const jobSpec = {
  tasks: [{ replicas: 2, template: { spec: { restartPolicy: 'Never', containers } } }],
};

const cronJob = (spec: object = {}) => ({
  apiVersion: 'batch.volcano.sh/v1alpha1',
  kind: 'CronJob',
  metadata: { name: 'nightly', namespace: 'ml' },
  spec: {
    schedule: '0 2 * * *',
    jobTemplate: { metadata: { labels: { team: 'vision' } }, spec: jobSpec },
    ...spec,
  },
});

const scheduled = (spec: object = {}, request: ScheduleRequest = {}) =>
  scheduleOptions(cronJob(spec), request, DEFAULTS);

describe('a CronJob', () => {
  it('is a schedule of Jobs that are called after it', () => {
    const options = scheduled({ timeZone: 'Europe/Berlin' });
    expect(options).toMatchObject({
      scheduleId: 'ml/nightly',
      spec: { cronExpressions: ['0 2 * * * # 0 2 * * *'], timezone: 'Europe/Berlin' },
      policies: { overlap: 'ALLOW_ALL' },
      state: { paused: false },
    });
    expect(options.action.args).toEqual([
      {
        apiVersion: 'batch.volcano.sh/v1alpha1',
        kind: 'Job',
        metadata: { name: 'nightly', namespace: 'ml', labels: { team: 'vision' } },
        spec: jobSpec,
      },
    ]);
  });

  it.each([
    ['Allow', 'ALLOW_ALL'],
    ['Forbid', 'SKIP'],
    ['Replace', 'CANCEL_OTHER'],
  ])('does with %s what Temporal calls %s', (concurrencyPolicy, overlap) => {
    expect(scheduled({ concurrencyPolicy }).policies?.overlap).toBe(overlap);
  });

  it('may be suspended, and says how late a job may start', () => {
    const { state, policies } = scheduled({ suspend: true, startingDeadlineSeconds: 90 });
    expect([state?.paused, policies?.catchupWindow]).toEqual([true, 90_000]);
  });

  it('yields to options', () => {
    const { spec, policies } = scheduled(
      { concurrencyPolicy: 'Forbid' },
      { every: 60_000, overlap: 'queue-one' },
    );
    expect(spec).toMatchObject({ cronExpressions: [], intervals: [{ every: 60_000 }] });
    expect(policies?.overlap).toBe('BUFFER_ONE');
  });

  it('is warned of limits, which nothing here has', () => {
    expect(scheduleWarnings(cronJob({ failedJobsHistoryLimit: 1 }))).toEqual([
      expect.stringContaining('spec.failedJobsHistoryLimit: without effect'),
    ]);
    expect(scheduleWarnings(cronJob())).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['a policy that is none', { concurrencyPolicy: 'Never' }, 'spec.concurrencyPolicy: expected'],
    ['no time', { schedule: undefined }, 'spec.schedule: expected'],
    ['an unknown field', { timezone: 'UTC' }, 'spec.timezone: expected one of the fields schedule, timeZone'],
    ['no Job', { jobTemplate: {} }, 'spec.jobTemplate.spec: expected'],
    ['a faulty Job', { jobTemplate: { spec: { tasks: [] } } }, 'spec.jobTemplate.spec.tasks: expected'],
  ])('is refused with %s', (_, spec, fault) => {
    expect(() => scheduled(spec)).toThrow(fault);
  });

  it('has a time zone that exists', () => {
    expect(() => scheduled({ timeZone: 'Europe/Atlantis' })).toThrow('timeZone: expected an IANA name');
  });
});
