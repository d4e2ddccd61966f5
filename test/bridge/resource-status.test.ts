import { describe, expect, it } from '@jest/globals';
import type { ShownStatus } from '../../bridge/anchored-job.ts';
import { failedStatus, statusOfResource, waitingStatus } from '../../bridge/resource-status.ts';
import { saysEnded } from '../../contracts/job-resources.ts';
import { aResource } from './fixtures.ts';

const AT = '2026-01-01T00:00:00Z';
const EARLIER = '2025-12-31T00:00:00Z';
const running = {
  ...{ type: 'Running', status: 'True', reason: 'PyTorchJobRunning', message: 'runs' },
  ...{ lastTransitionTime: EARLIER, lastUpdateTime: EARLIER },
} as const;

describe('the status of a resource', () => {
  it('is created as soon as it is seen', () => {
    const status = statusOfResource(aResource(), waitingStatus('CreatingObjects', 'soon'), { at: AT });
    expect(status).toEqual({
      conditions: [
        {
          ...{ type: 'Created', status: 'True', reason: 'PyTorchJobCreated' },
          message: 'PyTorchJob train is created.',
          ...{ lastTransitionTime: AT, lastUpdateTime: AT },
        },
      ],
      ...{ phase: 'Pending', reason: 'CreatingObjects', message: 'soon', observedGeneration: 1 },
    });
  });

  it('takes into account what was read of it, and perhaps more than its job follows', () => {
    const observed = (generation: number, appliedGeneration: number) =>
      statusOfResource(aResource({ generation }), { phase: 'Running' }, { appliedGeneration, at: AT })
        .observedGeneration;
    expect([observed(3, 1), observed(1, 2)]).toEqual([3, 2]);
  });

  it('does not run as long as the API server refuses something, whatever shows conditions alone', () => {
    const refused = { reason: 'QuotaExceeded', message: 'exceeded quota; retrying' } as const;
    const told = statusOfResource(aResource(), { phase: 'Pending', cause: refused }, { at: AT });
    expect(told.conditions).toEqual([
      expect.objectContaining({ type: 'Running', status: 'False', ...refused }),
      expect.objectContaining({ type: 'Created', status: 'True' }),
    ]);
    expect(told).toMatchObject(refused);
    const ended = statusOfResource(aResource(), failedStatus('Forbidden', 'may not'), { at: AT });
    expect(ended.conditions!.map(({ type }) => type)).toEqual(['Created', 'Failed']);
  });

  it('keeps the times of conditions that it has', () => {
    const first = statusOfResource(aResource(), waitingStatus('CreatingObjects', 'soon'), { at: EARLIER });
    const again = statusOfResource(aResource({ status: first }), waitingStatus('CreatingObjects', 'soon'), {
      at: AT,
    });
    expect(again).toEqual(first);
  });

  it('has failed, to Kubeflow, if the job was stopped', () => {
    const job = { phase: 'Stopped', conditions: [{ ...running, status: 'False' }] } as const;
    const status = statusOfResource(aResource(), job, { runId: 'r1', appliedGeneration: 2, at: AT });
    expect(status.conditions).toEqual([
      { ...running, status: 'False' },
      {
        ...{ type: 'Failed', status: 'True', reason: 'PyTorchJobStopped' },
        message: 'PyTorchJob train is stopped.',
        ...{ lastTransitionTime: AT, lastUpdateTime: AT },
      },
    ]);
    expect(status).toMatchObject({ phase: 'Stopped', runId: 'r1', appliedGeneration: 2 });
    expect(saysEnded(status)).toBe(true);
  });

  it('says why nothing was created', () => {
    const status = statusOfResource(aResource(), failedStatus('InvalidManifest', 'a: wrong'), { at: AT });
    expect(status.conditions!.at(-1)).toMatchObject({
      ...{ type: 'Failed', reason: 'PyTorchJobFailedValidation', message: 'a: wrong' },
    });
  });

  it('has the counts where the original operator writes them', () => {
    const job = { phase: 'Running', mode: 'PS', replicaStatuses: { worker: { running: 2 } } } as const;
    const kubeflow = statusOfResource(aResource(), job, { at: AT });
    expect(kubeflow).toMatchObject({ replicaStatuses: { worker: { running: 2 } } });
    const of = aResource({ apiVersion: 'batch.paddlepaddle.org/v1', kind: 'PaddleJob' });
    const paddle = statusOfResource(of, job, { at: AT });
    expect(paddle).toMatchObject({ mode: 'PS', worker: { running: 2 } });
    expect(paddle.replicaStatuses).toBeUndefined();
  });
});

describe('the active pods of a resource', () => {
  const at = AT;
  const wanted = { Master: 1, Worker: 2 };
  const all = { Master: { active: 1 }, Worker: { active: 2 } };
  const none = { Master: {}, Worker: {} };
  const countsWhile = (isSuspended: boolean, job: ShownStatus) =>
    statusOfResource(aResource({ isSuspended }), { wanted, replicaStatuses: none, ...job }, { at })
      .replicaStatuses;

  it.each(['Pending', 'Starting', 'Restarting'] as const)(
    'are all that may exist while it is %s',
    (phase) => {
      expect(countsWhile(false, { phase })).toEqual(all);
      expect(countsWhile(true, { phase })).toEqual(all);
    },
  );

  it('are there until those of a suspended job are gone', () => {
    const startTime = EARLIER;
    expect(countsWhile(true, { phase: 'Suspended', state: 'Suspended.Draining', startTime })).toEqual(all);
    expect(countsWhile(true, { phase: 'Suspended', state: 'Suspended.Resting', startTime })).toEqual(none);
  });

  it('are none before a job is resumed that was created suspended, and may be there from then on', () => {
    for (const state of ['Suspended.Draining', 'Suspended.Resting']) {
      expect(countsWhile(true, { phase: 'Suspended', state })).toEqual(none);
      expect(countsWhile(false, { phase: 'Suspended', state })).toEqual(all);
    }
  });

  it('are those that were counted, if they are more, and not those that have succeeded', () => {
    const replicaStatuses = { Master: { succeeded: 1 }, Worker: { active: 4, failed: 1 } };
    const job = { phase: 'Pending', replicaStatuses } as const;
    expect(countsWhile(false, job)).toEqual(replicaStatuses);
  });

  it.each(['Running', 'Completed', 'Failed', 'Stopped'] as const)(
    'are those of a job that is %s',
    (phase) => {
      expect(countsWhile(false, { phase, replicaStatuses: { Worker: { active: 1 } } })).toEqual({
        Worker: { active: 1 },
      });
    },
  );
});

it('a status has the warnings of its job, the first twenty, and none if there are none', () => {
  const shown = (warnings: readonly string[]) =>
    statusOfResource(aResource(), { phase: 'Running', warnings }, { at: AT }).warnings;
  const many = Array.from({ length: 30 }, (_, index) => `warning ${index}`);
  expect(shown(many)).toEqual(many.slice(0, 20));
  expect(shown([])).toBeUndefined();
});
