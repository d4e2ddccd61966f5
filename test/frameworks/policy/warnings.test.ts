import { describe, expect, it } from '@jest/globals';
import { warningsOf, withPolicy } from './policies.ts';

describe('a policy of which a part can have no effect is accepted with a warning:', () => {
  it.each([
    [
      'restart: {ladder: [{scope: pod}, {scope: gang}]}',
      'restart.ladder[1]: never reached; pod, before it, has neither times nor within',
    ],
    [
      'restart: {refundOnProgress: true}',
      'restart.refundOnProgress: no effect without progress: nobody hears that the job gets on',
    ],
    [
      'failures: {rules: [{class: badData, exitCodes: [42]}]}',
      'failures.rules[0].class: failures.classes says nothing of badData; its failures are dealt with as any other',
    ],
    [
      'failures: {rules: [{class: userCode, pattern: a}]}\nevidence: {logLines: 0}',
      'failures.rules[0].pattern: searched in termination messages only, as evidence.logLines is 0',
    ],
    [
      'failures: {classes: {startUp: {budget: 1}}}',
      'failures.classes.startUp: no effect without after: pods may take any time to start',
    ],
    [
      'failures: {classes: {stalled: {budget: 1}}}\nprogress: {log: a}',
      'failures.classes.stalled: no effect without progress.stalledAfter: the job may take any time',
    ],
    [
      'nodes: {troubles: [Cordoned]}',
      'nodes.troubles: no effect without nodes.lostAfter: no pod is given up for its node',
    ],
  ])('%s', (text, warning) => {
    expect(warningsOf(text)).toEqual([warning]);
  });

  const neverAgain = (text: string) =>
    withPolicy(text)
      .role('Master', 'restartPolicy', 'Never')
      .role('Worker', 'restartPolicy', 'Never')
      .job()
      .warnings.map((warning) => warning.replace('metadata.annotations[signalbox.dev/policy].', ''));

  it('a ladder where no pod that fails may run again', () => {
    expect(neverAgain('restart: {ladder: [{scope: container}, {scope: gang}]}')).toEqual([
      'restart.ladder[0]: no effect; containers are restarted in place with restartPolicy OnFailure or Always, which no role has',
      'restart.ladder: a pod that fails ends the job, as restartPolicy is Never for every role and no class of failures has a budget or is free; only what is lost or stalls is restarted',
    ]);
  });

  it.each([
    'restart: {ladder: [{scope: container}, {scope: gang}]}',
    'restart: {ladder: [{scope: pod, within: 5m}, {scope: gang}]}',
    'restart: {ladder: [{scope: pod}, {scope: gang}]}\nprogress: {log: a, stalledAfter: 5m}',
    'failures: {rules: [{class: stalled, pattern: hung}, {class: startUp, pattern: slow}], classes: {stalled: {budget: 1}, startUp: {free: true}}}',
    '{}',
  ])('but none of %s', (text) => {
    expect(warningsOf(text)).toEqual([]);
  });

  it.each([
    'restart: {ladder: [{scope: gang}]}\nfailures: {classes: {infrastructure: {free: true}}}',
    'evidence: {logLines: 5}',
  ])('nor, where no pod may run again, of %s', (text) => {
    expect(neverAgain(text)).toEqual([]);
  });
});
