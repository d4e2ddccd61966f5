import type { MetricTags } from '@temporalio/common';
import { metricMeter, workflowInfo } from '@temporalio/workflow';
import { JOB_COUNTERS, JOB_HISTOGRAMS } from '../contracts/job-metrics.ts';
import type { ReasonCode } from '../contracts/reasons.ts';
import { isFinal } from '../contracts/status.ts';
import type { LedgerEntry } from '../contracts/types.ts';
import { type Position, positionOf } from '../machines/chart/position.ts';
import type { StepCause } from '../machines/model/machine-step.ts';
import { type JobTimes, type Spans, timesAfter } from '../machines/report/job-times.ts';
import { restartsOfStep } from '../machines/report/restarts-of-step.ts';
import type { JobState } from '../machines/step.ts';

/**
 * Counts what happens to a job, and times it. It is workflow code, not an activity, because Temporal repeats activities:
 * the SDK's meter records nothing while a history is replayed, and adds no command to it.
 */
interface JobMeter {
  entered(entry: LedgerEntry): void;
  stepped(cause: StepCause, job: JobState): void;
  /** Returns what the next run of the workflow needs. */
  times(): JobTimes;
}

/** `carried`: from the run before. */
export function openJobMeter(carried: JobTimes = {}): JobMeter {
  let times = carried;
  let position: Position | undefined;
  /** Id of the last request: one that suspends a job and changes it has two entries. */
  let counted: string | undefined;
  /** Nothing is known of a job before it is admitted. */
  let ofNamespace: MetricTags = {};
  let ofKind: MetricTags = {};

  function ended({ phase, reason }: LedgerEntry): void {
    count('ended', { ...ofNamespace, ...ofKind, phase, ...reasonTag(reason) });
    time('duration', Date.now() - workflowInfo().startTime.getTime(), { ...ofKind, phase });
  }

  return {
    entered: (entry) => {
      const { cause, from, to } = entry;
      if (cause.type === 'request' && (cause.id === undefined || cause.id !== counted))
        count('requests', { request: cause.request, result: cause.refused ? 'refused' : 'accepted' });
      if (cause.type === 'request') counted = cause.id;
      if (cause.type === 'effect' && cause.ended === 'refused') count('refusals', reasonTag(entry.reason));
      if (!isFinal(to) || from === to) return;
      if (!position) count('submitted');
      ended(entry);
    },
    stepped: (cause, { snapshot }) => {
      const after = positionOf(snapshot);
      const { kind, namespace } = after.context.plan;
      ofKind = { kind };
      ofNamespace = { job_namespace: namespace };
      if (cause.type === 'begin') count('submitted', { ...ofNamespace, ...ofKind });
      if (position) {
        const stepTimes = timesAfter(times, position, after);
        ({ times } = stepTimes);
        if (stepTimes.spans) timeSpans(stepTimes.spans, ofKind);
        for (const { count: by, ...tags } of restartsOfStep(position.context, after.context))
          count('restarts', { ...ofNamespace, ...tags }, by);
      }
      position = after;
      if (cause.type === 'event' && cause.event.type === 'effectDone')
        for (const { ref, incomplete } of cause.event.evidence ?? [])
          count('evidence', { result: ref ? (incomplete ? 'partial' : 'saved') : 'failed' });
    },
    times: () => times,
  };
}

function timeSpans({ isFirst, startMs, recoveryMs, scope = 'pod' }: Spans, ofKind: MetricTags): void {
  if (isFirst) time('wait', Date.now() - workflowInfo().startTime.getTime(), ofKind);
  if (startMs !== undefined) time('start', startMs, ofKind);
  if (recoveryMs !== undefined) time('recovery', recoveryMs, { scope });
}

const reasonTag = (reason: ReasonCode | undefined): MetricTags => ({ reason: reason ?? 'none' });

function count(counter: keyof typeof JOB_COUNTERS, tags: MetricTags = {}, by = 1): void {
  const { name, help } = JOB_COUNTERS[counter];
  metricMeter.createCounter(name, undefined, help).add(by, tags);
}

/** Clocks of different workers may differ. */
function time(histogram: keyof typeof JOB_HISTOGRAMS, ms: number, tags: MetricTags): void {
  const { name, help } = JOB_HISTOGRAMS[histogram];
  metricMeter.createHistogram(name, 'float', undefined, help).record(Math.max(0, ms) / 1000, tags);
}
