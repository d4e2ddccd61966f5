import { describe, expect, it } from '@jest/globals';
import {
  INTERVENTIONS,
  intervention,
  type JobView,
  type Asked as Request,
  refusalOf,
} from '../../workflows/interventions.ts';
import { aPlan } from '../machines/builders.ts';
import { aJobBeforeAdmission, aJobIn } from './job-views.ts';

const find = (update: string) => INTERVENTIONS.find((one) => one.update === update)!;

const SIGNAL = { checkpoint: { signal: 'SIGUSR1', withinMs: 60_000 } } as const;
const cause = { reason: 'Suspended', message: 'suspended' } as const;
const refused = {
  cause: { reason: 'QuotaExceeded', message: 'exceeded quota' },
  since: 0,
  isLimited: true,
} as const;
const ending = aJobIn('Finishing.CleaningUp');
const held = aJobIn('Restarting.Holding');
const suspended = aJobIn('Suspended.Resting', { context: { suspension: cause } });
const suspending = aJobIn('Suspended.Draining', { context: { suspension: cause } });
const running = aJobIn('Running');
const ended = 'the job has already ended: Stopped';

describe('an intervention is accepted by', () => {
  it.each<[string, string, JobView, Request]>([
    ['stop', 'any job', aJobBeforeAdmission(), {}],
    ['stop', 'a job whose policy allows a checkpoint', withCheckpoint(), { checkpoint: true }],
    ['suspend', 'a job that runs', running, {}],
    ['suspend', 'a job that resumes once its pods are gone', aJobIn('Suspended.Draining'), {}],
    ['suspend', 'a job that is not admitted yet', aJobBeforeAdmission(), {}],
    ['resume', 'a job that is suspended', suspended, {}],
    ['retryNow', 'a job that waits for its next restart', aJobIn('Restarting.BackingOff'), {}],
    ['retryNow', 'a job that waits for its pods to go', aJobIn('Restarting.Draining'), {}],
    ['retryNow', 'a job that is held before its next restart', held, {}],
    [
      'retryNow',
      'a job with a refused effect',
      aJobIn('Pending.Creating', { context: { refusedEffects: { createAttempt: refused } } }),
      {},
    ],
    [
      'retryNow',
      'a job with a refused clean-up',
      aJobIn('Finishing.CleaningUp', { context: { refusedCleanUp: { message: 'no right', since: 0 } } }),
      {},
    ],
    [
      'extendDeadline',
      'a job with a deadline',
      aJobIn('Running', { plan: aPlan().workers(2).deadline(60) }),
      { seconds: 1 },
    ],
    ['hold', 'a job that runs', running, { seconds: 0 }],
    ['hold', 'a job that is already held', held, { seconds: 60 }],
    ['hold', 'a job that is not admitted yet', aJobBeforeAdmission(), { seconds: 60 }],
    ['release', 'a job that is held', held, {}],
  ])('%s: %s', (update, _, view, asked) => {
    expect(refusalOf(find(update), view, asked)).toBeUndefined();
  });
});

describe('an intervention is refused by', () => {
  it.each<[string, string, JobView, Request, string]>([
    [
      'stop',
      'a job whose policy allows no checkpoint',
      running,
      { checkpoint: true },
      'its policy does not say how to request a checkpoint (checkpoint.file or checkpoint.signal)',
    ],
    ['suspend', 'a job that is suspended', suspended, {}, 'the job is already suspended'],
    [
      'suspend',
      'a job whose pods are being deleted for that',
      suspending,
      {},
      'the job is already suspended',
    ],
    ['suspend', 'a job whose end is decided', ending, {}, ended],
    ['resume', 'a job that runs', running, {}, 'the job is not suspended: Running'],
    ['retryNow', 'a job that does not wait', running, {}, 'the job is not waiting for a restart: Running'],
    [
      'retryNow',
      'a job that is not admitted yet',
      aJobBeforeAdmission(),
      {},
      'the job is not waiting for a restart: Pending.Admitting',
    ],
    [
      'retryNow',
      'a job whose end is decided, for an earlier refusal',
      aJobIn('Finishing.CleaningUp', {
        context: { refusedEffects: { createAttempt: refused }, outcome: { phase: 'Stopped' } },
      }),
      {},
      ended,
    ],
    [
      'extendDeadline',
      'a job without a deadline',
      running,
      { seconds: 1 },
      'the job has no activeDeadlineSeconds',
    ],
    [
      'extendDeadline',
      'a job whose end is decided',
      aJobIn('Finishing.CleaningUp', { plan: aPlan().workers(2).deadline(60) }),
      { seconds: 1 },
      ended,
    ],
    [
      'extendDeadline',
      'any job, without a time',
      running,
      {},
      'seconds: expected an integer from 1 to 31536000 (365d), got nothing',
    ],
    [
      'extendDeadline',
      'any job, for a time of 0 s',
      running,
      { seconds: 0 },
      'seconds: expected an integer from 1 to 31536000 (365d), got 0',
    ],
    [
      'hold',
      'any job, for half a second',
      running,
      { seconds: 0.5 },
      'seconds: expected an integer from 0 to 31536000 (365d), got 0.5',
    ],
    ['hold', 'a job whose end is decided', ending, { seconds: 60 }, ended],
    ['release', 'a job that is not held', running, {}, 'the job is not held: Running'],
    [
      'release',
      'a job that is not admitted yet',
      aJobBeforeAdmission(),
      {},
      'the job is not held: Pending.Admitting',
    ],
  ])('%s: %s', (update, _, view, asked, why) => {
    expect(refusalOf(find(update), view, asked)).toBe(why);
  });
});

function withCheckpoint(): JobView {
  return aJobIn('Running', { plan: aPlan().workers(2).policy(SIGNAL) });
}

describe('an intervention records', () => {
  const asked = { by: 'ana', seconds: 60, checkpoint: true };
  it.each([
    ['stop', { reason: 'StopRequested', message: 'stopped by ana', by: 'ana' }, { checkpoint: true }],
    ['suspend', { reason: 'Suspended', message: 'suspended by ana', by: 'ana' }, {}],
    // The others are not why a job is in a state: they have no reason.
    ['resume', { message: 'resumed by ana' }, {}],
    ['retryNow', { message: 'retried at once by ana' }, {}],
    ['extendDeadline', { message: 'deadline extended by 60 s by ana' }, { seconds: 60 }],
    ['hold', { message: 'failed pods will be kept for 60 s by ana' }, { seconds: 60 }],
    ['release', { message: 'released by ana' }, {}],
  ])('%s', (update, cause, fields) => {
    expect(find(update).event(asked, 7)).toEqual({
      type: update,
      cause,
      at: 7,
      ...fields,
    });
  });

  it('the reason, if there is one', () => {
    expect(intervention('stopped', { by: 'ana', why: 'a typo' }).message).toBe('stopped by ana: a typo');
    expect(intervention('stopped', null).message).toBe('stopped');
  });

  it('a text of bounded length', () => {
    const { message } = intervention('stopped', { why: 'x'.repeat(5_000) });
    expect(message.length).toBeLessThanOrEqual(1_000);
  });
});

describe('a job whose end is decided still accepts', () => {
  const signalled = { outcome: { phase: 'Stopped', checkpoint: true } } as const;
  const plan = aPlan().workers(2).policy(SIGNAL);
  it.each<[string, JobView, string[]]>([
    ['stop, hold and release while it is held', aJobIn('Finishing.Holding'), ['stop', 'hold', 'release']],
    ['stop while it waits for its checkpoint', aJobIn('Finishing.Checkpointing'), ['stop']],
    [
      'stop while its pods handle the checkpoint signal',
      aJobIn('Finishing.CleaningUp', { plan, context: signalled }),
      ['stop'],
    ],
    [
      'retryNow while its clean-up is refused',
      aJobIn('Finishing.CleaningUp', { context: { refusedCleanUp: { message: 'no right', since: 0 } } }),
      ['retryNow'],
    ],
    ['nothing else', aJobIn('Finishing.CleaningUp'), []],
    ['nothing at its end', aJobIn('Completed'), []],
  ])('%s', (_, view, updates) => {
    const open = INTERVENTIONS.filter((spec) => refusalOf(spec, view, spec.example) === undefined);
    expect(open.map(({ update }) => update)).toEqual(updates);
  });

  it('a second stop that asks for a checkpoint again', () => {
    const view = aJobIn('Finishing.Checkpointing', { plan });
    expect(refusalOf(find('stop'), view, { checkpoint: true })).toBeUndefined();
  });
});
