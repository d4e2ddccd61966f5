import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ANNOTATIONS } from '../../../contracts/labels.ts';
import type { WatchRules } from '../../../contracts/policy.ts';
import { trimPod } from '../../../watcher/pods/pod-facts.ts';
import { podReport } from '../../../watcher/pods/pod-report.ts';
import { ProgressTracker } from '../../../watcher/progress/progress-tracker.ts';
import { parseWatchRules } from '../../../watcher/progress/watch-rules.ts';
import { aPod } from '../fixtures.ts';

const AT = Date.parse('2026-01-01T00:10:00Z');
const rules: WatchRules = {
  progress: { annotation: 'example.com/step' },
  acknowledgedBy: { annotation: 'example.com/saved' },
};
const voice = (annotations: Record<string, string>) => podReport(aPod({ annotations }))!;
const pod = { uid: 'pod-1', attempt: 1 };
const asked = { [ANNOTATIONS.checkpoint]: '2026-01-01T00:10:00Z' };

afterEach(() => {
  jest.useRealTimers();
});

describe('progress', () => {
  it('counts each change of the annotation, and no repetition', () => {
    const words = new ProgressTracker(pod);
    words.onAnnotations(voice({ 'example.com/step': '1' }), rules);
    const first = words.progress!;
    words.onAnnotations(voice({ 'example.com/step': '1', 'example.com/other': 'x' }), rules);
    expect(words.progress).toMatchObject({ value: first.value, count: first.count });
    words.onAnnotations(voice({ 'example.com/step': '2' }), rules);
    expect(words.progress).toMatchObject({ value: '2', count: first.count + 1 });
  });

  it('is the same for a later reader', () => {
    const managedFields = [
      {
        time: '2026-01-01T00:09:00Z',
        fieldsV1: { 'f:metadata': { 'f:annotations': { 'f:example.com/step': {} } } },
      },
      { time: '2026-01-01T00:11:00Z', fieldsV1: { 'f:status': {} } },
    ];
    const plain = aPod({ annotations: { 'example.com/step': '7' } });
    const written = { ...plain, metadata: { ...plain.metadata, managedFields } };
    for (const seen of [written, trimPod(written)]) {
      const words = new ProgressTracker(pod);
      words.onAnnotations(podReport(seen)!, rules);
      expect(words.progress).toMatchObject({ value: '7', count: Date.parse('2026-01-01T00:09:00Z') });
    }
  });

  it('grows with each matching log line, also with the same value at the same time', () => {
    const words = new ProgressTracker(pod);
    const word = { progress: 'step', acknowledges: false, at: AT };
    words.onLogMatch(word);
    words.onLogMatch(word);
    expect(words.progress).toMatchObject({ value: 'step', count: AT + 1 });
  });

  it('has the age of the last report, which another pod of the attempt may have made, and not of a checkpoint', () => {
    jest.useFakeTimers({ now: AT });
    const words = new ProgressTracker(pod);
    words.onLogMatch({ progress: '5', acknowledges: false, at: AT - 60_000 });
    jest.advanceTimersByTime(7_000);
    words.onAnnotations(voice(asked), rules);
    words.onAnnotations(voice({ 'example.com/saved': 'b', ...asked }), rules);
    expect(words.progress?.ageMs).toBe(7_000);
    jest.advanceTimersByTime(1_000);
    expect(new ProgressTracker({ uid: 'pod-2', attempt: 1 }, words).progress?.ageMs).toBe(8_000);
    jest.setSystemTime(AT - 60_000);
    expect(words.progress?.ageMs).toBe(0);
  });

  it('is truncated', () => {
    const words = new ProgressTracker(pod);
    words.onLogMatch({ progress: 'x'.repeat(100), acknowledges: false, at: AT });
    expect(words.progress?.value).toHaveLength(64);
    words.onLogMatch({ progress: `x${'🚀'.repeat(100)}`, acknowledges: false, at: AT });
    expect(words.progress?.value).toBe(`x${'🚀'.repeat(31)}`);
  });

  it('continues with another pod of the attempt, and starts again with the next attempt', () => {
    const words = new ProgressTracker(pod);
    words.onLogMatch({ progress: '5', acknowledges: false, at: AT });
    expect(new ProgressTracker({ uid: 'pod-2', attempt: 1 }, words).progress?.value).toBe('5');
    const next = new ProgressTracker({ uid: 'pod-3', attempt: 2 }, words);
    expect(next.progress).toBeUndefined();
    expect(next.lastReportAt).toBe(words.lastReportAt);
  });
});

describe('a checkpoint', () => {
  it('is acknowledged by the annotation, after the request', () => {
    const words = new ProgressTracker(pod);
    expect(words.onAnnotations(voice({ 'example.com/saved': 'a' }), rules)).toBe(false);
    expect(words.onAnnotations(voice({ 'example.com/saved': 'a', ...asked }), rules)).toBe(false);
    expect(words.onAnnotations(voice({ 'example.com/saved': 'b', ...asked }), rules)).toBe(true);
    expect(words.onAnnotations(voice({ 'example.com/saved': 'c', ...asked }), rules)).toBe(false);
    expect(words.acknowledged).toBe(true);
  });

  it('is acknowledged by an annotation that is there when a later watcher reads it', () => {
    expect(new ProgressTracker(pod).onAnnotations(voice({ 'example.com/saved': 'a', ...asked }), rules)).toBe(
      true,
    );
  });

  it.each([
    ['not by a line that was written before', AT - 1, false],
    ['by a line that was written since', AT, true],
  ])('is acknowledged or not: %s', (_, at, acknowledged) => {
    const words = new ProgressTracker(pod);
    words.onAnnotations(voice(asked), rules);
    expect(words.onLogMatch({ acknowledges: true, at })).toBe(acknowledged);
    expect(words.acknowledged).toBe(acknowledged);
  });

  it('is acknowledged by a line that was read before the request was, but written after it', () => {
    const words = new ProgressTracker(pod);
    expect(words.onLogMatch({ acknowledges: true, at: AT + 1 })).toBe(false);
    expect(words.onAnnotations(voice(asked), rules)).toBe(true);
  });

  it('is acknowledged by any line, where the request has no time', () => {
    const words = new ProgressTracker(pod);
    words.onLogMatch({ acknowledges: true, at: AT });
    expect(words.onAnnotations(voice({ [ANNOTATIONS.checkpoint]: 'true' }), rules)).toBe(false);
    expect(words.onLogMatch({ acknowledges: true, at: AT })).toBe(true);
  });

  it('is acknowledged only for this pod, not for the next', () => {
    const words = new ProgressTracker(pod);
    words.onAnnotations(voice(asked), rules);
    words.onLogMatch({ acknowledges: true, at: AT });
    expect(new ProgressTracker({ uid: 'pod-2', attempt: 1 }, words).acknowledged).toBe(false);
  });
});

describe('the pod that reports progress', () => {
  it('is the first of a role, whose annotations are kept', () => {
    expect(podReport(aPod({ index: 1, annotations: { a: 'b' } }))).toBeUndefined();
    expect(trimPod(aPod({ index: 1, annotations: { a: 'b' } })).metadata.annotations).toBeUndefined();
    expect(trimPod(aPod({ index: 0, annotations: { a: 'b' } })).metadata.annotations).toEqual({ a: 'b' });
  });
});

describe('the watch rules', () => {
  it('are read from the anchor', () => {
    expect(parseWatchRules('{"progress":{"log":"step (\\\\d+)"},"everyMs":5000}')).toEqual({
      rules: { progress: { log: 'step (\\d+)' }, everyMs: 5_000 },
    });
    expect(parseWatchRules(undefined)).toEqual({});
  });

  it.each([
    ['no JSON', '{', /JSON/],
    ['another shape', '{"progress":{"log":7}}', /expected string, received number/],
    ['no pattern', '{"progress":{"log":"step ("}}', /expected an RE2 pattern, got step \(/],
    ['a pattern that RE2 does not have', '{"acknowledgedBy":{"log":"(?=x)"}}', /acknowledgedBy\.log/],
  ])('are empty, with the reason, if they are %s', (_, text, fault) => {
    expect(parseWatchRules(text)).toEqual({ fault: expect.stringMatching(fault) });
  });
});
