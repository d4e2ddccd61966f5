import type { Admission } from '../../activities/admit.ts';
import type { RecordStatusRequest } from '../../activities/record-status.ts';
import type { Effect } from '../../machines/model/effects.ts';
import type { JobEvent } from '../../machines/model/job-events.ts';
import { createEffectRunner } from '../../workflows/effect-runner.ts';
import { ANCHOR } from '../machines/builders.ts';
import { anAdmission } from './admissions.ts';
import { aStatus } from './some-status.ts';
import { startIdleWorkflow, type WorkflowHost } from './workflow-host.ts';

type EndRecord = Parameters<typeof createEffectRunner>[2];

type EffectRunner = ReturnType<typeof createEffectRunner>;

export const CREATE: Effect = { type: 'createAttempt', attempt: 1 };
export const RESTORE: Effect = {
  type: 'restorePods',
  attempt: 1,
  replace: [],
  succeededIndices: {},
  asGang: true,
};
export const DRAIN: Effect = { type: 'drain', attempt: 1 };
export const SUSPEND: Effect = { type: 'suspend' };
export const CLEAN_UP: Effect = { type: 'cleanUp', outcome: 'Stopped', scope: 'Everything' };
export const HOST_LIST: Effect = { type: 'publishHostList', attempt: 1, hash: 'a' };
export const TRY_AGAIN: Effect = { type: 'tryAgain' };

export const END: RecordStatusRequest = {
  anchorUid: ANCHOR,
  status: aStatus('Stopped'),
  digestHash: '',
  record: 2,
};

/** Runs effects in a workflow that does nothing else, and collects the events. */
export class EffectStage {
  readonly flow: WorkflowHost;
  runner!: EffectRunner;
  readonly received: JobEvent[] = [];
  /** The present admission; a test may amend it. */
  admission: Admission;

  private constructor(flow: WorkflowHost, admission: Admission) {
    this.flow = flow;
    this.admission = admission;
  }

  static async open(admission = anAdmission()): Promise<EffectStage> {
    const stage = new EffectStage(await startIdleWorkflow(), admission);
    const end: EndRecord = { request: () => END, written: () => undefined };
    const answer = (event: JobEvent) => void stage.received.push(event);
    stage.runner = await stage.flow.runs(() => createEffectRunner(stage.admission, answer, end));
    return stage;
  }

  run(...effects: readonly Effect[]): Promise<void> {
    return this.flow.runs(() => {
      for (const effect of effects) this.runner.run(effect, this.admission);
    });
  }

  /** Types of the activities in progress. */
  get inProgress(): readonly string[] {
    return this.flow.activities.map(({ type }) => type);
  }

  /** Types of those that were asked to end. */
  get cancelled(): readonly string[] {
    return this.flow.activities.flatMap(({ type, isCancelled }) => (isCancelled ? [type] : []));
  }

  /** Type and effect of each event, e.g. `effectDone drain`. */
  get answers(): readonly string[] {
    return this.received.map((event) => ('effect' in event ? `${event.type} ${event.effect}` : event.type));
  }
}
