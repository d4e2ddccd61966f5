import { publishHostListEffect, restoreServicesEffect } from '../attempt/effects.ts';
import {
  ACTIVE_DEADLINE,
  BIND,
  initialContext,
  NODE_LOST,
  PLACEMENT,
  RECOVERY,
  STALL,
} from '../model/job-context.ts';
import { keepSparesEffect } from '../spares/keep-spares.ts';
import { jobSetup } from './job-setup.ts';
import { finishingState } from './states/finishing.ts';
import { pendingState } from './states/pending.ts';
import { restartingState } from './states/restarting.ts';
import { startingState } from './states/starting.ts';
import { suspendedState } from './states/suspended.ts';
import {
  APPLY_DIGEST,
  endsAs,
  failsAt,
  isDeadline,
  isFor,
  REFUSED_TOO_LONG,
  TRY_AGAIN,
  transitionsExcept,
} from './transitions.ts';

/**
 * The statechart of a job. After every event, each state that waits for the cluster follows the assessment of the
 * newest digest (assess.ts). States that change the cluster decide nothing until their effect is done.
 */
export const jobMachine = jobSetup.createMachine({
  id: 'job',
  context: ({ input }) => initialContext(input),
  initial: 'Pending',
  on: {
    digest: [
      // Runs concurrently with other effects: no state waits for it.
      {
        guard: 'changesHostList',
        actions: [
          ...APPLY_DIGEST,
          { type: 'perform', params: ({ context }) => publishHostListEffect(context) },
          'recordHostList',
        ],
      },
      // So does this. If it fails, the watcher reports again what is missing.
      {
        guard: 'lacksServices',
        actions: [
          ...APPLY_DIGEST,
          { type: 'perform', params: ({ context }) => restoreServicesEffect(context) },
          'recordServices',
        ],
      },
      { guard: 'isNewDigest', actions: APPLY_DIGEST },
    ],
    // Nor does anything wait for spares.
    effectDone: { guard: isFor('keepSpares'), actions: 'recordSpares' },
    effectFailed: [failsAt('publishHostList'), { guard: isFor('keepSpares'), actions: 'recordSpares' }],
    effectRefused: { actions: 'recordRefusal' },
    retryNow: { guard: 'isRefused', actions: TRY_AGAIN },
    stop: { target: '.Finishing', actions: endsAs('Stopped'), description: 'stop' },
    suspend: { target: '.Suspended', actions: 'suspend', description: 'suspend' },
    amend: { actions: 'amend' },
    extendDeadline: { actions: 'extendDeadline' },
    hold: { actions: 'setHold' },
    deadline: [
      {
        guard: isDeadline(ACTIVE_DEADLINE),
        target: '.Finishing',
        actions: endsAs('Failed'),
        description: 'activeDeadlineSeconds exceeded',
      },
      REFUSED_TOO_LONG,
      {
        guard: isDeadline(BIND),
        target: '.Pending.RollingBack',
        description: 'the gated gang has not got its nodes in time',
      },
      {
        guard: isDeadline(PLACEMENT),
        target: '.Pending.RollingBack',
        description: 'the gang has waited too long for its nodes',
      },
      { guard: isDeadline(NODE_LOST), actions: 'markLost' },
      { guard: isDeadline(RECOVERY), actions: 'recordUnseen' },
    ],
  },
  states: {
    Pending: pendingState,
    Starting: startingState,
    Running: {
      description: 'The program of every pod is ready, or has succeeded.',
      entry: 'recordRunning',
      exit: ['startInPlaceRecovery', 'forgetSpares'],
      always: [
        ...transitionsExcept('running'),
        {
          guard: 'lacksSpares',
          actions: [{ type: 'perform', params: ({ context }) => keepSparesEffect(context) }, 'askForSpares'],
        },
      ],
      on: {
        deadline: [
          {
            guard: 'savesBeforeDeparture',
            target: 'Restarting.Checkpointing',
            actions: 'beginDeparture',
            description: 'it leaves a node, after a checkpoint',
          },
          { guard: 'hasReportedProgress', actions: 'recordLastReport' },
          { guard: 'isSilenceUnproven', actions: 'recordFollowed' },
          {
            guard: isDeadline(STALL),
            target: 'Restarting',
            actions: 'markStalled',
            description: 'no progress in time',
          },
        ],
      },
    },
    Restarting: restartingState,
    Suspended: suspendedState,
    Finishing: finishingState,
    Completed: { type: 'final', description: 'Every replica that decides has succeeded.' },
    Failed: { type: 'final', description: 'The cause says which rule decided.' },
    Stopped: { type: 'final', description: 'A user ended it: it neither succeeded nor failed.' },
  },
});
