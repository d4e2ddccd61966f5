import { describe, expect, it } from '@jest/globals';
import { isPassingWait, isStartUpWait, phraseOfWait, steadyReason, WAITS } from '../../contracts/waits.ts';
import { keysOf } from '../../language/fields.ts';
import { meaningOf } from '../../machines/report/scheduler-words.ts';

const KUBELETS = keysOf(WAITS).filter((reason) => phraseOfWait(reason) !== undefined);

describe.each(KUBELETS)('a container that waits with %s', (reason) => {
  it('is explained in the status as in the error about its log, unless that passes', () => {
    expect(meaningOf(reason)).toBe(isPassingWait(reason) ? undefined : phraseOfWait(reason));
  });
});

it('a wait that keeps pods from starting has a phrase, or the words of the scheduler', () => {
  const silent = keysOf(WAITS).filter(
    (reason) => isStartUpWait(reason) && phraseOfWait(reason) === undefined,
  );
  expect(silent).toEqual(['Unschedulable', 'SchedulerError']);
});

it('what the kubelet alternates between counts as one reason', () => {
  expect(steadyReason('ErrImagePull')).toBe(steadyReason('ImagePullBackOff'));
  expect(steadyReason('constructor')).toBe('constructor');
});
