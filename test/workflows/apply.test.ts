import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import type { Revised } from '../../activities/revise.ts';
import type { RequestCause } from '../../contracts/ledger.ts';
import type { ResourceIdentity } from '../../contracts/types.ts';
import type { JobEvent } from '../../machines/model/job-events.ts';
import type { MadeFrom } from '../../workflows/applied-manifest.ts';
import { acceptManifests } from '../../workflows/apply.ts';
import type { JobView } from '../../workflows/interventions.ts';
import { takeTurns } from '../../workflows/turns.ts';
import { aPlan } from '../machines/builders.ts';
import { aManifest, anAdmission, aRevision } from './admissions.ts';
import { aJobBeforeAdmission, aJobIn } from './job-views.ts';
import { startIdleWorkflow, type WorkflowHost } from './workflow-host.ts';

const TERMS = anAdmission();
const TARGET = { namespace: 'ml', name: 'resnet', anchorUid: TERMS.anchorUid, clusterId: TERMS.clusterId };
/** As Temporal transports it, without fields that are undefined. */
const MANIFEST = JSON.parse(JSON.stringify(aManifest({ worker: { replicas: 3 } })));
const RESOURCE: ResourceIdentity = {
  ...{ apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', uid: 'u1', generation: 3 },
};

let flow: WorkflowHost;
let view: JobView;
let madeFrom: MadeFrom;
let pushed: JobEvent[];
let noted: string[];

const plan = () => aPlan().master().workers(2);
const applying = () => flow.activity('revise');
const apply = (more: object = {}) => flow.asks('apply', { manifest: MANIFEST, by: 'ana', ...more });
/** What the manifest means, by default three workers in revision 2. */
const means = (more: Partial<Revised> = {}): Revised => ({
  ...{ planned: aRevision(MANIFEST), changed: ['spec.x'] },
  ...more,
});
const madeFromResource = (): MadeFrom => ({
  ...madeFrom,
  terms: { ...TERMS, settings: { ...TERMS.settings, resource: RESOURCE } },
});

beforeEach(async () => {
  view = aJobIn('Running', { plan: plan() });
  madeFrom = { manifest: aManifest(), terms: TERMS };
  pushed = [];
  noted = [];
  const ledger = {
    refused: ({ request }: RequestCause, why: string) => void noted.push(`${request} refused: ${why}`),
    note: ({ message }: { readonly message: string }) => void noted.push(message),
    last: () => ({}) as never,
  };
  const remake = (made: MadeFrom) => {
    madeFrom = made;
  };
  flow = await startIdleWorkflow();
  await flow.runs(() =>
    acceptManifests({
      ...{ ledger, inTurn: takeTurns(), view: () => view, push: (event) => void pushed.push(event) },
      ...{ madeFrom: () => madeFrom, remake },
    }),
  );
});

describe('a manifest that is applied', () => {
  it('is read beside the state of the job, and not sent a second time', async () => {
    await apply();
    expect(applying().request).toEqual({ ...TARGET, isSuspended: false, isRunning: true, gang: 'none' });
    expect(madeFrom.applying).toEqual(MANIFEST);
  });

  it('makes a revision, which the job is made from then', async () => {
    const answer = await apply({ why: 'more data' });
    await applying().completes(means());
    expect(answer.result).toEqual({ phase: 'Running', revision: 2 });
    expect(pushed).toMatchObject([
      {
        ...{ type: 'amend', revision: { number: 2 } },
        cause: { message: 'manifest applied (spec.x) by ana: more data' },
        request: { request: 'apply', who: { given: 'ana' }, madeRevision: 2 },
      },
    ]);
    // The ledger does not repeat the manifest.
    expect(pushed[0]).not.toHaveProperty('request.asked');
    expect(madeFrom).toMatchObject({ manifest: MANIFEST, appliedRevision: 2, applying: undefined });
  });

  it('suspends before the job gets its revision, and resumes after that', async () => {
    await apply();
    await applying().completes(means({ suspend: true }));
    expect(pushed.map(({ type }) => type)).toEqual(['suspend', 'amend']);
    pushed = [];
    view = aJobIn('Suspended.Resting', {
      plan: plan(),
      context: { suspension: { reason: 'Suspended', message: '' } },
    });
    await apply();
    expect(applying().request).toEqual({ ...TARGET, isSuspended: true, isRunning: false, gang: 'none' });
    await applying().completes(means({ suspend: false }));
    expect(pushed.map(({ type }) => type)).toEqual(['amend', 'resume']);
  });

  it('that says the same changes nothing, and is in the ledger', async () => {
    const answer = await apply();
    await applying().completes({ changed: [] });
    expect([answer.result, pushed]).toEqual([{ phase: 'Running' }, []]);
    expect(noted).toEqual(['the applied manifest says what the job is already']);
    expect(madeFrom).toMatchObject({ manifest: aManifest() });
  });

  it('with faults changes nothing, and returns them', async () => {
    const answer = await apply();
    const faults = [{ path: 'spec', expected: 'at most 4' }];
    await applying().fails(ApplicationFailure.nonRetryable('at most 4', 'InvalidManifest', faults));
    expect(answer.refusal).toMatchObject({ type: 'InvalidManifest', details: [faults] });
    expect([pushed, noted, madeFrom.applying]).toEqual([[], ['apply refused: at most 4'], undefined]);
  });

  it('is read again if the job was suspended meanwhile', async () => {
    const answer = await apply();
    view = aJobIn('Suspended.Draining', {
      ...{ plan: plan(), context: { suspension: { reason: 'Suspended', message: '' } } },
    });
    await applying().completes(means());
    expect([pushed, applying().request]).toMatchObject([[], { isSuspended: true, isRunning: false }]);
    await applying().completes(means({ suspend: false }));
    expect(answer.result).toEqual({ phase: 'Suspended', revision: 2 });
  });

  it('is taken back from the anchor if the job has begun to run, and cannot follow it any more', async () => {
    view = aJobIn('Suspended.Resting', {
      plan: plan(),
      context: { suspension: { reason: 'Suspended', message: '' } },
    });
    const answer = await apply();
    view = aJobIn('Running', { plan: plan() });
    await applying().completes(means());
    await applying().fails(ApplicationFailure.nonRetryable('it runs', 'InvalidManifest', []));
    expect(flow.activity('restoreRevision').request).toEqual(TARGET);
    await flow.activity('restoreRevision').completes(undefined);
    expect([answer.refusal?.message, pushed]).toEqual(['it runs', []]);
  });

  it('is applied after another one that came before', async () => {
    await apply();
    await apply({ why: 'second' });
    expect(flow.activities).toHaveLength(1);
    await applying().completes(means());
    await applying().completes(means({ planned: aRevision(MANIFEST, 3) }));
    expect(pushed).toMatchObject([{ revision: { number: 2 } }, { revision: { number: 3 } }]);
  });

  it.each([
    [
      'before admission, without an event in the history',
      aJobBeforeAdmission(),
      {},
      false,
      /not been admitted/,
    ],
    ['without a manifest', undefined, { manifest: 7 }, false, /^manifest: expected a manifest$/],
    ['with another field', undefined, { replicas: 7 }, false, /^replicas: expected one of the fields/],
    [
      'when the outcome is decided',
      aJobIn('Finishing.Holding', { context: { outcome: { phase: 'Failed' } } }),
      {},
      true,
      /already decided/,
    ],
    [
      'as a resource, of a job without one',
      undefined,
      { resource: RESOURCE },
      true,
      /^resource: expected none/,
    ],
  ])('is refused %s', async (_, state, more, isAccepted, message) => {
    view = state ?? view;
    const answer = await apply(more);
    expect(answer.isAccepted).toBe(isAccepted);
    expect(answer.refusal?.message).toMatch(message);
    expect(flow.activities).toEqual([]);
  });
});

describe('a job that was made from a resource', () => {
  beforeEach(() => {
    madeFrom = madeFromResource();
  });

  it('follows a later generation of it, and knows that', async () => {
    const resource = { ...RESOURCE, generation: 5 };
    await apply({ resource });
    expect(applying().request).toMatchObject({ resource });
    await applying().completes({ changed: [] });
    expect(madeFrom.terms!.settings.resource).toEqual(resource);
  });

  it('reads the same generation again: its annotations may have changed', async () => {
    await apply({ resource: { ...RESOURCE, annotations: 'a1' } });
    await applying().completes(means());
    expect(pushed).toHaveLength(1);
    expect(madeFrom.terms!.settings.resource).toMatchObject({ generation: 3, annotations: 'a1' });
  });

  it.each([
    ['an older one', { resource: { ...RESOURCE, generation: 2 } }, /generation 2 .* older than 3/],
    ['another resource', { resource: { ...RESOURCE, uid: 'u2' } }, /made from PyTorchJob u1/],
    ['a manifest that is no resource', {}, /made from PyTorchJob u1/],
  ])('refuses %s', async (_, more, message) => {
    const { refusal } = await apply(more);
    expect(refusal?.message).toMatch(message);
    expect([flow.activities, pushed]).toEqual([[], []]);
  });
});
