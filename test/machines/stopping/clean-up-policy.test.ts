import { describe, expect, it } from '@jest/globals';
import type { ReasonCode } from '../../../contracts/reasons.ts';
import type { FinalPhase } from '../../../contracts/status.ts';
import { CLEAN_POD_POLICIES, CLEAN_UP_TIMES } from '../../../contracts/training-job.ts';
import { cleanUpScope } from '../../../machines/stopping/clean-up-policy.ts';

/** With the policies All, Running and None, in this order. */
const table: readonly [FinalPhase, ReasonCode | undefined, all: string, running: string, none: string][] = [
  ['Completed', undefined, 'All', 'Running', 'None'],
  ['Failed', 'PodFailed', 'All', 'Running', 'None'],
  ['Failed', 'PermanentExitCode', 'All', 'Running', 'None'],
  ['Failed', 'BackoffLimitExceeded', 'All', 'Running', 'Running'],
  ['Failed', 'DeadlineExceeded', 'All', 'Running', 'Running'],
  ['Failed', 'PodEvicted', 'All', 'Running', 'Running'],
  ['Failed', 'EngineFault', 'All', 'Running', 'Running'],
  ['Failed', 'ClusterRefused', 'All', 'Running', 'Running'],
  ['Failed', 'NameTaken', 'All', 'Running', 'Running'],
  ['Stopped', 'StopRequested', 'Everything', 'Everything', 'Everything'],
  ['Stopped', 'Cancelled', 'Everything', 'Everything', 'Everything'],
  ['Stopped', 'AnchorDeleted', 'Everything', 'Everything', 'Everything'],
];

describe('the clean-up policies All, Running and None', () => {
  it.each(table)('of a job that is %s by %s remove %s, %s and %s', (phase, reason, ...scopes) => {
    const cause = reason && { reason, message: '' };
    expect(
      CLEAN_POD_POLICIES.map((policy) => cleanUpScope(phase, cause, { policy, wasCreated: true })),
    ).toEqual(scopes);
  });

  it.each(['ClusterRefused', 'NameTaken', 'EngineFault'] as const)(
    'leave nothing of a job that could not be created: %s',
    (reason) => {
      const cause = { reason, message: '' };
      const scopes = CLEAN_POD_POLICIES.map((policy) =>
        cleanUpScope('Failed', cause, { policy, wasCreated: false }),
      );
      expect(scopes).toEqual(['Everything', 'Everything', 'Everything']);
    },
  );
});

/** With Always, Never, OnFailure and OnCompletion, in this order. */
const paddle: readonly [FinalPhase, ReasonCode | undefined, ...scopes: string[]][] = [
  ['Completed', undefined, 'All', 'None', 'None', 'All'],
  ['Failed', 'PodFailed', 'All', 'None', 'All', 'None'],
  ['Failed', 'NameTaken', 'All', 'Running', 'All', 'Running'],
  ['Stopped', 'StopRequested', 'Everything', 'Everything', 'Everything', 'Everything'],
];

describe('paddle-operator’s clean-up policies', () => {
  it.each(paddle)('of a job that is %s by %s remove %s, %s, %s and %s', (phase, reason, ...scopes) => {
    const cause = reason && { reason, message: '' };
    expect(CLEAN_UP_TIMES.map((policy) => cleanUpScope(phase, cause, { policy, wasCreated: true }))).toEqual(
      scopes,
    );
  });
});
