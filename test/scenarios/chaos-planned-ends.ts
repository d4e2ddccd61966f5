import { CONFIG_MAPS, type Resource } from '../../contracts/kubernetes.ts';
import { anchorNameOf } from '../../contracts/labels.ts';
import { MEMO } from '../../contracts/messages.ts';
import type { JobOutcome } from '../../contracts/status.ts';
import type { PodControl } from './chaos-pod-control.ts';

interface DoomedJob {
  readonly name: string;
  readonly resource?: Resource;
}

/** What is done to a job, and the only end that can follow from it, whatever else befalls its pods. */
export interface PlannedEnd {
  /** As `endOf` says it. */
  readonly end: string;
  /** Done from some moment on, again and again until the job is over; without it the end comes by itself. */
  readonly bringAbout?: (job: DoomedJob, control: PodControl) => Promise<unknown>;
  /** Suspending it does not keep the end from coming. */
  readonly mayRest?: boolean;
}

const plannedEnds = {
  completes: { end: 'Completed' },
  findsBadData: { end: 'Failed FinalFailure', bringAbout: ({ name }, control) => control.endOne(name, 42) },
  passesBackoffLimit: {
    end: 'Failed BackoffLimitExceeded',
    bringAbout: ({ name }, control) => control.endOne(name, 1),
  },
  mayNotFail: { end: 'Failed PodFailed', bringAbout: ({ name }, control) => control.endOne(name, 1) },
  spendsItsBudget: {
    end: 'Failed FailureBudgetExceeded',
    bringAbout: ({ name }, control) => control.endOne(name, 1),
  },
  usesUpItsLadder: {
    end: 'Failed RestartsExhausted',
    bringAbout: ({ name }, control) => control.endOne(name, 1),
  },
  runsOutOfTime: { end: 'Failed DeadlineExceeded' },
  isStopped: {
    end: 'Stopped StopRequested',
    bringAbout: ({ name }, { jobs }) => jobs.get(name)!.stop({ by: 'chaos', why: 'the planned end' }),
    mayRest: true,
  },
  isCancelled: {
    end: 'Stopped Cancelled',
    bringAbout: ({ name }, { stage, jobs }) =>
      stage.temporal.workflow.getHandle(jobs.get(name)!.workflowId).cancel(),
    mayRest: true,
  },
  isTerminated: {
    end: 'Stopped WorkflowTerminated',
    bringAbout: ({ name }, { stage, jobs }) =>
      stage.temporal.workflow.getHandle(jobs.get(name)!.workflowId).terminate('the planned end'),
    mayRest: true,
  },
  losesItsAnchor: {
    end: 'Stopped AnchorDeleted',
    bringAbout: ({ name }, { stage }) =>
      stage.cluster.delete(CONFIG_MAPS, stage.namespace, anchorNameOf(name)),
    mayRest: true,
  },
  losesItsResource: {
    end: 'Stopped AnchorDeleted',
    bringAbout: async ({ name, resource }, { stage, jobs }) => {
      const { memo } = await stage.temporal.workflow.getHandle(jobs.get(name)!.workflowId).describe();
      // A job that is not admitted yet has another end, or none.
      if (memo?.[MEMO.anchorUid]) await stage.cluster.delete(resource!, stage.namespace, name);
    },
    mayRest: true,
  },
} as const satisfies Readonly<Record<string, PlannedEnd>>;

export type PlannedEndName = keyof typeof plannedEnds;
export const PLANNED_ENDS: Readonly<Record<PlannedEndName, PlannedEnd>> = plannedEnds;

export const endOf = ({ phase, cause }: JobOutcome) =>
  phase === 'Completed' ? phase : `${phase} ${cause?.reason}`;
