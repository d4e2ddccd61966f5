import { describe, expect, it } from '@jest/globals';
import { EMPTY, isAwaited, type Outline, outlineOf, urgencyOf } from '../../../watcher/jobs/outline.ts';
import type { PodState } from '../../../watcher/pods/pod-state.ts';

const NOTHING: Record<PodState, number> = {
  ...{ unscheduled: 0, scheduled: 0, ready: 0, succeeded: 0, failed: 0, terminating: 0 },
};

/** The outline of a job with these pods, the first of which is its deciding pod. */
function outline(states: readonly PodState[], milestones = [2], decidingPod = '', stuck = 0): Outline {
  const pods = new Map(states.map((state, index) => [`uid-${index}`, { name: `pod-${index}`, state }]));
  const counts = { ...NOTHING };
  for (const state of states) counts[state]++;
  const anchor = { milestones, decidingPod };
  return outlineOf({ anchor, states: counts, crashes: 0, stuck, pods, vanished: new Map() });
}

/** All of them wait. */
const stuck = (states: readonly PodState[], milestones: number[]) =>
  outline(states, milestones, '', states.length);

const READY = outline(['ready', 'ready']);

describe('the urgency of a change', () => {
  it.each<[string, Outline, Outline]>([
    ['the last missing pod is ready', outline(['ready', 'scheduled']), READY],
    ['enough pods are ready', outline(['ready'], [2, 3]), outline(['ready', 'ready'], [2, 3])],
    ['a pod is no longer ready', READY, outline(['ready', 'scheduled'])],
    ['a pod fails', outline(['scheduled']), outline(['failed'])],
    ['a program ends for the first time', READY, { ...READY, crashes: 1 }],
    ['a program ends again', { ...READY, crashes: 1 }, { ...READY, crashes: 2 }],
    ['a pod is being deleted', READY, outline(['ready', 'terminating'])],
    ['the last pod has succeeded', outline(['succeeded', 'ready']), outline(['succeeded', 'succeeded'])],
    ['the deciding pod has succeeded', READY, outline(['succeeded', 'ready'], [2], 'pod-0')],
  ])('is now if %s', (_, before, after) => {
    expect(urgencyOf(before, after)).toBe('now');
  });

  it.each<[string, Outline, Outline]>([
    ['one pod of several has succeeded', READY, outline(['ready', 'succeeded'])],
    [
      'more pods are ready than are needed',
      outline(['ready', 'ready'], [2, 4]),
      outline(Array(3).fill('ready'), [2, 4]),
    ],
    ['its only pod begins to wait', outline(['unscheduled'], [1]), stuck(['unscheduled'], [1])],
    [
      'the last of its pods begins to wait',
      stuck(['unscheduled'], [2]),
      stuck(['unscheduled', 'scheduled'], [2]),
    ],
    ['the others go on after a failure', outline(['failed', 'scheduled']), outline(['failed', 'ready'])],
  ])('is soon if %s', (_, before, after) => {
    expect(urgencyOf(before, after)).toBe('soon');
  });

  it.each<[string, Outline, Outline]>([
    ['pods are being created', EMPTY, outline(['unscheduled'])],
    ['pods get nodes', outline(['unscheduled', 'unscheduled']), outline(['scheduled', 'scheduled'])],
    [
      'some of its pods wait',
      outline(Array(2).fill('unscheduled')),
      outline(Array(2).fill('unscheduled'), [2], '', 1),
    ],
    ['pods that wait are not all of its pods', EMPTY, stuck(['unscheduled'], [2])],
    ['its pods go on to wait', stuck(['unscheduled'], [1]), stuck(['unscheduled'], [1])],
    ['all pods are being deleted', outline(['terminating', 'terminating']), outline(['terminating'])],
  ])('is later while %s', (_, before, after) => {
    expect(urgencyOf(before, after)).toBe('later');
  });

  it('is the lowest once the job has succeeded', () => {
    const over = outline(['succeeded', 'ready'], [2], 'pod-0');
    expect(urgencyOf(over, outline(['succeeded', 'failed'], [2], 'pod-0'))).toBe('lazy');
  });

  it('is the lowest once the clean-up has begun', () => {
    const ending = { ...outline(['failed', 'terminating']), isEnding: true };
    expect(urgencyOf(READY, ending)).toBe('lazy');
    expect(isAwaited(ending, 'Running')).toBe(false);
  });

  it('is higher when the last pods of the clean-up are gone', () => {
    const ending = (states: readonly PodState[]) => ({ ...outline(states), isEnding: true });
    expect(urgencyOf(ending(['terminating', 'ready']), ending(['ready']))).toBe('lazy');
    expect(urgencyOf(ending(['terminating']), ending(['failed']))).toBe('lazy');
    expect(urgencyOf(ending(['failed']), ending([]))).toBe('later');
    expect(urgencyOf(ending(['terminating', 'succeeded']), ending(['succeeded']))).toBe('later');
    expect(urgencyOf(ending([]), ending([]))).toBe('lazy');
  });
});

it('a workflow waits for content that its anchor does not have yet', () => {
  expect(isAwaited(READY, 'Starting')).toBe(true);
  expect(isAwaited(READY, 'Running')).toBe(false);
  expect(isAwaited(outline(['unscheduled', 'ready']), 'Pending')).toBe(false);
  expect(isAwaited(outline(['failed', 'ready']), 'Running')).toBe(true);
});
