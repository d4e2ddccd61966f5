import { beforeEach, describe, expect, it } from '@jest/globals';
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import type { RequestCause } from '../../contracts/ledger.ts';
import type { JobEvent } from '../../machines/model/job-events.ts';
import { acceptAmendments } from '../../workflows/amendments.ts';
import type { JobView } from '../../workflows/interventions.ts';
import { takeTurns } from '../../workflows/turns.ts';
import { aPlan } from '../machines/builders.ts';
import { aManifest, anAdmission, aRevision } from './admissions.ts';
import { aJobBeforeAdmission, aJobIn } from './job-views.ts';
import { startIdleWorkflow, type WorkflowHost } from './workflow-host.ts';

const TERMS = anAdmission();
const TARGET = { namespace: 'ml', name: 'resnet', anchorUid: TERMS.anchorUid, clusterId: TERMS.clusterId };
const ENTRY = {
  at: '2026-01-01T00:00:00Z',
  phase: 'Running',
  state: 'Running',
  attempt: 1,
  cause: '',
} as const;

let flow: WorkflowHost;
let view: JobView;
let pushed: JobEvent[];
let refusals: string[];

const plan = () => aPlan().master().workers(2);
const elastic = () =>
  aPlan()
    .master()
    .workersWith(2, { scales: { min: 1, max: 4 } });
/** The next revision, with this number of workers. */
const revisionOf = (replicas: number) => aRevision(aManifest({ worker: { replicas } }));
const amending = () => flow.activity('amend');
const scale = (replicas: unknown, role: unknown = 'Worker') =>
  flow.asks('scale', { role, replicas, by: 'ana' });

beforeEach(async () => {
  view = aJobIn('Suspended.Resting', { plan: plan() });
  pushed = [];
  refusals = [];
  const ledger = {
    refused: ({ request }: RequestCause, why: string) => void refusals.push(`${request}: ${why}`),
  };
  const push = (event: JobEvent) => void pushed.push(event);
  flow = await startIdleWorkflow();
  await flow.runs(() =>
    acceptAmendments({ view: () => view, push, terms: () => TERMS, ledger, inTurn: takeTurns() }),
  );
});

describe('scaling a job', () => {
  it('asks for a revision with the new size, in the role’s own spelling', async () => {
    await scale(5, 'wORKER');
    expect(amending().request).toEqual({ ...TARGET, gang: 'none', replicas: { Worker: 5 } });
  });

  it('passes the new revision to the machine', async () => {
    const answer = await scale(5);
    expect(pushed).toEqual([]);
    await amending().completes(revisionOf(5));
    expect(answer.result).toEqual({ phase: 'Suspended' });
    const cause = { message: 'Worker scaled to 5 by ana' };
    expect(pushed).toMatchObject([
      { type: 'amend', plan: { roles: [{}, { replicas: 5 }] }, revision: { number: 2 }, cause, at: flow.now },
    ]);
  });

  it('records in the ledger which revision the request made', async () => {
    await scale(5);
    await amending().completes(revisionOf(5));
    expect(pushed).toMatchObject([{ request: { request: 'scale', who: { given: 'ana' }, madeRevision: 2 } }]);
  });

  it('changes nothing if the new manifest has errors, and returns them', async () => {
    const answer = await scale(5);
    const faults = [{ path: 'spec', expected: 'at most 4' }];
    await amending().fails(ApplicationFailure.nonRetryable('at most 4', 'InvalidManifest', faults));
    expect(answer.refusal).toMatchObject({
      message: 'at most 4',
      type: 'InvalidManifest',
      details: [faults],
    });
    expect(pushed).toEqual([]);
  });

  it('returns any other failure unchanged', async () => {
    const answer = await scale(5);
    await amending().fails(new Error('lost'), 'TIMEOUT');
    expect(answer.refusal).toBeInstanceOf(ActivityFailure);
    expect(pushed).toEqual([]);
  });

  it('changes nothing if the job has started to run meanwhile', async () => {
    const answer = await scale(5);
    view = aJobIn('Running', { plan: plan() });
    await amending().completes(revisionOf(5));
    await flow.activity('restoreRevision').completes(undefined);
    expect(answer.refusal?.message).toMatch(/^Worker of a PyTorchJob cannot change its size while it runs/);
    expect(pushed).toEqual([]);
  });

  it('is refused for the same reason if the anchor cannot be restored', async () => {
    const answer = await scale(5);
    view = aJobIn('Running', { plan: plan() });
    await amending().completes(revisionOf(5));
    expect(flow.activity('restoreRevision').request).toEqual(TARGET);
    await flow.activity('restoreRevision').fails(new Error('lost'), 'TIMEOUT');
    expect(answer.refusal?.message).toMatch(/^Worker of a PyTorchJob cannot change its size while it runs/);
  });
});

describe('changing the policy of a job', () => {
  const policy = { holdOnFailure: '1h' };

  it('asks for a revision with the policy, and passes it to the machine', async () => {
    const answer = await flow.asks('amendPolicy', { policy, why: 'to look at it' });
    expect(amending().request).toEqual({ ...TARGET, gang: 'none', policy });
    await amending().completes(revisionOf(2));
    expect(answer.result).toEqual({ phase: 'Suspended' });
    expect(pushed).toMatchObject([
      { type: 'amend', cause: { message: 'policy changed (holdOnFailure): to look at it' } },
    ]);
  });

  it('works while the job runs', async () => {
    view = aJobIn('Running', { plan: plan() });
    await flow.asks('amendPolicy', { policy });
    await amending().completes(revisionOf(2));
    expect(pushed).toHaveLength(1);
  });

  it.each([undefined, null, 'holdOnFailure', [policy]])('expects an object, not %j', async (given) => {
    const { isAccepted, refusal } = await flow.asks('amendPolicy', { policy: given });
    expect([isAccepted, refusal?.message]).toEqual([
      false,
      'policy: expected an object that is part of a policy document',
    ]);
  });
});

describe('two amendments', () => {
  it('run one at a time: each builds on the one before', async () => {
    await scale(5);
    await flow.asks('amendPolicy', { policy: {} });
    expect(flow.activities).toHaveLength(1);
    await amending().completes(revisionOf(5));
    expect(amending().request).toEqual({ ...TARGET, gang: 'none', policy: {} });
  });

  it('are independent: the second works after the first was refused', async () => {
    await scale(5);
    const second = await scale(3);
    await amending().fails(ApplicationFailure.nonRetryable('at most 4', 'InvalidManifest'));
    expect(amending().request).toEqual({ ...TARGET, gang: 'none', replicas: { Worker: 3 } });
    await amending().completes(revisionOf(3));
    expect(second.result).toEqual({ phase: 'Suspended' });
  });
});

describe('scaling is refused', () => {
  const running = () => aJobIn('Running', { plan: plan() });
  const restarted = aJobIn('Pending.Scheduling', { plan: plan() });
  const pending = { ...restarted, status: { ...restarted.status, timeline: [ENTRY] } };

  it.each<[string, JobView, unknown, unknown, string | RegExp]>([
    ['before admission', aJobBeforeAdmission(), 'Worker', 3, 'the job has not been admitted yet'],
    [
      'when its end is decided',
      aJobIn('Finishing.Holding', { context: { outcome: { phase: 'Failed' } } }),
      'Worker',
      3,
      'the outcome of the job is already decided: Finishing.Holding',
    ],
    ['to a negative size', running(), 'Worker', -1, 'replicas: expected an integer >= 0, got -1'],
    [
      'to a size that is not a number',
      running(),
      'Worker',
      '3',
      'replicas: expected an integer >= 0, got "3"',
    ],
    ['to no size', running(), 'Worker', undefined, 'replicas: expected an integer >= 0, got nothing'],
    ['of an unknown role', running(), 'Launcher', 3, 'role: expected one of Master, Worker, got "Launcher"'],
    ['of no role', running(), null, 3, 'role: expected one of Master, Worker, got null'],
    [
      'while it runs, if its kind cannot',
      running(),
      'Worker',
      3,
      /^Worker of a PyTorchJob cannot change its size/,
    ],
    [
      'while it waits for pods of an attempt that has run',
      pending,
      'Worker',
      3,
      /^Worker of a PyTorchJob cannot change its size/,
    ],
  ])('%s', async (_, given, role, replicas, why) => {
    view = given;
    const { isAccepted, refusal } = await scale(replicas, role);
    // What nobody could understand leaves no trace.
    const isRecorded = Number.isInteger(replicas) && Number(replicas) >= 0;
    expect([isAccepted, refusals]).toEqual(isRecorded ? [true, [`scale: ${refusal?.message}`]] : [false, []]);
    expect(refusal?.message).toEqual(typeof why === 'string' ? why : expect.stringMatching(why));
  });

  it('without an argument', async () => {
    const { refusal } = await flow.asks('scale');
    expect(refusal?.message).toBe('replicas: expected an integer >= 0, got nothing');
  });
});

describe('scaling is accepted', () => {
  it.each<[string, JobView]>([
    ['while it runs, if its kind can', aJobIn('Running', { plan: elastic() })],
    [
      'while it runs, if its policy restarts the gang',
      aJobIn('Running', { plan: plan().policy({ scaleByRestart: true }) }),
    ],
    ['while it is suspended', aJobIn('Suspended.Resting', { plan: plan() })],
    ['while it waits for its first start', aJobIn('Pending.Scheduling', { plan: plan() })],
    ['while all its pods are being deleted', aJobIn('Restarting.Draining', { plan: plan() })],
  ])('%s', async (_, given) => {
    view = given;
    expect((await scale(3)).isAccepted).toBe(true);
  });
});
