import { describe, expect, it } from '@jest/globals';
import { warningsOf, withPolicy } from './policies.ts';

describe('the warnings of a policy', () => {
  it.each([
    [
      'restart: {ladder: [{scope: pod}, {scope: gang}]}',
      'restart.ladder[1]: never reached; pod, the rung before it, has neither times nor within',
    ],
    [
      'restart: {refundOnProgress: true}',
      'restart.refundOnProgress: no effect without progress.log or progress.annotation: the job’s progress is not followed',
    ],
    [
      'failures: {rules: [{class: badData, exitCodes: [42]}]}',
      'failures.rules[0].class: failures.classes has no entry for badData, so its failures are treated like all others',
    ],
    [
      'failures: {rules: [{class: userCode, pattern: a}]}\nevidence: {logLines: 0}',
      'failures.rules[0].pattern: searched only in termination messages, because evidence.logLines is 0',
    ],
    [
      'failures: {classes: {startUp: {budget: 1}}}',
      'failures.classes.startUp: no effect without after: pods may take any time to start',
    ],
    [
      'failures: {classes: {stalled: {budget: 1}}}\nprogress: {log: a}',
      'failures.classes.stalled: no effect without progress.stalledAfter or progress.onHang: restart: the job may take any time',
    ],
    [
      'nodes: {troubles: [Cordoned]}',
      'nodes.troubles: no effect without nodes.lostAfter: no pod counts as lost because of its node',
    ],
    [
      'holdOnFailure: 5m',
      'holdOnFailure: no effect on programs that the kubelet restarts in place; without the rung container in restart.ladder, failed pods of roles with restartPolicy OnFailure are held',
    ],
  ])('name a part that can have no effect: %s', (text, warning) => {
    expect(warningsOf(text)).toEqual([warning]);
  });

  const neverAgain = (text: string) =>
    withPolicy(text)
      .role('Master', 'restartPolicy', 'Never')
      .role('Worker', 'restartPolicy', 'Never')
      .job()
      .warnings.map((warning) => warning.replace('metadata.annotations[signalbox.dev/policy].', ''));

  it('name a ladder where no failed pod may run again', () => {
    expect(neverAgain('restart: {ladder: [{scope: container}, {scope: gang}]}')).toEqual([
      'restart.ladder[0]: no effect; only containers of roles with restartPolicy OnFailure or Always are restarted in place, and no role has those',
      'restart.ladder: a failed pod ends the job, because every role has restartPolicy Never and no class of failures is free or has a budget; only lost pods and stalled jobs are restarted',
    ]);
  });

  it.each([
    'restart: {ladder: [{scope: container}, {scope: gang}]}',
    'restart: {ladder: [{scope: pod, within: 5m}, {scope: gang}]}',
    'restart: {ladder: [{scope: pod}, {scope: gang}]}\nprogress: {log: a, stalledAfter: 5m}',
    'failures: {rules: [{class: stalled, pattern: hung}, {class: startUp, pattern: slow}], classes: {stalled: {budget: 1}, startUp: {free: true}}}',
    'holdOnFailure: 5m\nrestart: {ladder: [{scope: pod}]}',
    '{}',
  ])('are empty for %s', (text) => {
    expect(warningsOf(text)).toEqual([]);
  });

  it.each([
    'restart: {ladder: [{scope: gang}]}\nfailures: {classes: {infrastructure: {free: true}}}',
    'evidence: {logLines: 5}',
  ])('are empty, where no pod may run again, for %s', (text) => {
    expect(neverAgain(text)).toEqual([]);
  });
});
