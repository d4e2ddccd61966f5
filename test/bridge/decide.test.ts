import { describe, expect, it } from '@jest/globals';
import { confirmedStep, firstStep, nextStep } from '../../bridge/decide.ts';
import type { JobOfResource } from '../../client/use-cases/submit/job-of-resource.ts';
import type { JobResourceStatus } from '../../contracts/job-resources.ts';
import type { JobOutcome } from '../../contracts/status.ts';
import { anAnchor, aResource } from './fixtures.ts';

/** The installation, and the run that Temporal has named. */
const HERE = { installation: 'here', knownRunId: 'r1' };

const condition = (type: string) => ({ type, status: 'True' as const });
const SUCCEEDED: JobResourceStatus = { conditions: [condition('Succeeded')] };
const FAILED: JobResourceStatus = { conditions: [condition('Failed')] };
const INVALID: JobResourceStatus = {
  ...{ conditions: [condition('Created'), condition('Failed')], reason: 'InvalidManifest' },
  appliedGeneration: 1,
};

describe('a resource', () => {
  it.each([
    ['that is being deleted, and has started nothing', { isDeleting: true }],
    ['of a foreign manager', { isForeign: true }],
    ['that has ended and left nothing', { status: SUCCEEDED }],
    ['whose manifest has faults', { status: INVALID }],
  ])('%s needs nothing', (_, more) => {
    expect(firstStep(aResource(more), undefined, HERE)).toEqual({ is: 'nothing' });
  });

  it('is looked up while it has no anchor, also after its faults were corrected', () => {
    expect(firstStep(aResource(), undefined, HERE)).toEqual({ is: 'lookUp' });
    const corrected = aResource({ status: INVALID, generation: 2 });
    expect(firstStep(corrected, undefined, HERE)).toEqual({ is: 'lookUp' });
  });

  it('that has ended is only seen when it is edited, unless another operator has ended it', () => {
    const ended = (status: JobResourceStatus) =>
      firstStep(aResource({ status: { ...SUCCEEDED, ...status }, generation: 2 }), undefined, HERE);
    expect(ended({ observedGeneration: 1 })).toEqual({ is: 'observe' });
    expect(ended({ observedGeneration: 2 })).toEqual({ is: 'nothing' });
    expect(ended({})).toEqual({ is: 'nothing' });
  });

  it('shows what its anchor says, whatever it says itself', () => {
    expect(firstStep(aResource({ status: SUCCEEDED }), anAnchor(), HERE)).toMatchObject({
      ...{ is: 'show', status: { phase: 'Running' }, runId: 'r1', appliedGeneration: 1, isEdited: false },
    });
  });

  it.each<[string, Parameters<typeof aResource>[0], Parameters<typeof anAnchor>[0], boolean]>([
    ['its generation is later than that of its job', { generation: 2 }, {}, true],
    ['only its annotations differ', { annotations: 'a1' }, {}, true],
    ['its annotations are gone', {}, { annotations: 'a1' }, true],
    ['it was restored from an older copy', { generation: 1, annotations: 'a1' }, { generation: 2 }, false],
    ['its job has ended', { generation: 2, status: FAILED }, { status: { phase: 'Failed' } }, false],
    ['the anchor does not say what its job follows', { generation: 2 }, { generation: undefined }, false],
  ])('is edited, or not, if %s', (_, resource, anchor, isEdited) => {
    expect(firstStep(aResource(resource), anAnchor(anchor), HERE)).toMatchObject({ is: 'show', isEdited });
  });

  it.each<[string, Parameters<typeof aResource>[0], Parameters<typeof anAnchor>[0], false | undefined]>([
    ['other ones than its job follows', { annotations: 'a2' }, { annotations: 'a1' }, false],
    ['none, and its job follows some', {}, { annotations: 'a1' }, false],
    [
      'other ones, and a later generation',
      { generation: 2, annotations: 'a2' },
      { annotations: 'a1' },
      false,
    ],
    ['those that its job follows', { annotations: 'a1' }, { annotations: 'a1' }, undefined],
    [
      'others than a job that has ended',
      { annotations: 'a1', status: FAILED },
      { status: { phase: 'Failed' } },
      undefined,
    ],
    ['others than an anchor that does not say', { annotations: 'a1' }, { generation: undefined }, undefined],
  ])('says that its annotations are not followed, or nothing, with %s', (_, resource, anchor, said) => {
    const step = firstStep(aResource(resource), anAnchor(anchor), HERE);
    expect(step.is === 'show' ? step.appliedAnnotations : step.is).toBe(said);
  });

  it('shows what becomes of its job while a finalizer keeps it, and follows no edit', () => {
    const kept = aResource({ isDeleting: true, generation: 2, status: { runId: 'r1' } });
    expect(firstStep(kept, anAnchor(), HERE)).toMatchObject({ is: 'show', isEdited: false });
    expect(firstStep(kept, undefined, HERE)).toEqual({ is: 'lookUp' });
  });

  it('is not touched if another installation runs it', () => {
    expect(firstStep(aResource(), anAnchor({ installation: 'elsewhere' }), HERE)).toEqual({
      is: 'nothing',
    });
  });
});

const closed = (reason: string, phase = 'Failed', generation = 1): JobOfResource => ({
  ...{ is: 'closed', runId: 'r1', generation },
  outcome: { phase, cause: { reason, message: 'why' } } as unknown as JobOutcome,
});

const open: JobOfResource = { is: 'open', runId: 'r1', generation: 1, reason: undefined };
const taken: JobOfResource = { is: 'nameTaken', runId: 'r2' };
const unknown: JobOfResource = { is: 'unknown' };

describe('a resource whose anchor has lost how its job ended', () => {
  const lost = anAnchor({ status: {}, hasLostEnd: true });

  it('asks Temporal, and shows what that knows', () => {
    expect(firstStep(aResource(), lost, HERE)).toEqual({ is: 'confirm' });
    expect(confirmedStep(aResource(), lost, closed('Succeeded', 'Completed'))).toMatchObject({
      ...{ is: 'show', status: { phase: 'Completed' }, runId: 'r1' },
    });
  });

  it.each<[string, JobOfResource, string]>([
    ['runs', open, 'later'],
    ['is of another job', taken, 'nothing'],
    ['is not known any more', unknown, 'nothing'],
    ['refused the job', closed('InvalidManifest', 'Failed', 1), 'nothing'],
  ])('shows and starts nothing if its workflow %s', (_, job, is) => {
    expect(confirmedStep(aResource({ generation: 2 }), lost, job)).toEqual({ is });
  });
});

describe('an end that an anchor says, which whoever may write ConfigMaps in the namespace can write', () => {
  const ended = anAnchor({ status: { phase: 'Completed' } });

  it.each<[string, JobResourceStatus, string]>([
    ['no end', { runId: 'r1' }, 'confirm'],
    ['another end', { runId: 'r1', conditions: [condition('Failed')] }, 'confirm'],
    ['the end of another run', { ...SUCCEEDED, runId: 'r0' }, 'confirm'],
    ['the same end', { ...SUCCEEDED, runId: 'r1' }, 'show'],
    ['the same end, by a definition without our fields', SUCCEEDED, 'show'],
  ])('where the resource shows %s', (_, status, is) => {
    expect(firstStep(aResource({ status }), ended, HERE)).toMatchObject({ is });
  });

  it.each<[string, JobOfResource, object]>([
    ['runs', open, { is: 'later' }],
    ['has ended otherwise', closed('StopRequested', 'Stopped'), { is: 'show', status: { phase: 'Stopped' } }],
    ['is not known any more', unknown, { is: 'show', status: { phase: 'Completed' } }],
    ['gave its name to another job', taken, { is: 'show', status: { phase: 'Completed' } }],
  ])('where the workflow %s', (_, job, step) => {
    expect(confirmedStep(aResource(), ended, job)).toMatchObject(step);
  });
});

describe('a run that an anchor names', () => {
  it.each<[string, string | undefined, string | undefined, string]>([
    ['nobody else has named', undefined, undefined, 'confirm'],
    ['Temporal has named', 'r1', undefined, 'show'],
    ['the resource shows', undefined, 'r1', 'show'],
    ['is another one than the resource shows', undefined, 'r0', 'confirm'],
    ['is another one than Temporal has named', 'r0', undefined, 'confirm'],
  ])('which %s', (_, knownRunId, runId, is) => {
    const resource = aResource({ status: { runId } });
    expect(firstStep(resource, anAnchor(), { ...HERE, knownRunId })).toMatchObject({ is });
  });

  it('is shown as Temporal has it', () => {
    const forged = anAnchor({ runId: 'forged', generation: 99 });
    expect(confirmedStep(aResource(), forged, open)).toMatchObject({
      ...{ is: 'show', status: { phase: 'Running' }, runId: 'r1', appliedGeneration: 1 },
    });
    expect(confirmedStep(aResource(), forged, unknown)).toEqual({ is: 'later' });
  });
});

describe('without an anchor, a resource', () => {
  it.each<[string, Parameters<typeof aResource>[0], JobOfResource, object]>([
    ['that nobody knows is started', {}, { is: 'unknown' }, { is: 'start' }],
    [
      'whose job is open is waited for',
      {},
      { is: 'open', runId: 'r1', generation: 1, reason: undefined },
      { is: 'show', later: true, runId: 'r1', appliedGeneration: 1 },
    ],
    [
      'whose job is refused before it has an anchor says so',
      {},
      { is: 'open', runId: 'r1', generation: 1, reason: 'QuotaExceeded' },
      { is: 'show', later: true, status: { phase: 'Pending', cause: { reason: 'QuotaExceeded' } } },
    ],
    [
      'whose name is taken waits',
      {},
      { is: 'nameTaken', runId: 'r0' },
      { is: 'show', later: true, status: { phase: 'Pending', cause: { reason: 'NameTaken' } } },
    ],
    [
      'whose job has ended shows its end',
      {},
      closed('StopRequested', 'Stopped'),
      { is: 'show', status: { phase: 'Stopped' } },
    ],
    [
      'that was refused and corrected is started again',
      { status: INVALID, generation: 2 },
      closed('InvalidManifest'),
      { is: 'start' },
    ],
    ['that was refused stays so', {}, closed('InvalidManifest'), { is: 'show', status: { phase: 'Failed' } }],
    [
      'that was corrected and refused again stays so',
      { status: INVALID, generation: 2 },
      closed('InvalidManifest', 'Failed', 2),
      { is: 'show', status: { phase: 'Failed' }, appliedGeneration: 2 },
    ],
    [
      'that was edited before it was refused is started again',
      { generation: 2 },
      closed('InvalidManifest'),
      { is: 'start' },
    ],
    [
      'whose record is lost is not started again',
      { status: { runId: 'r1', conditions: [condition('Running')] } },
      { is: 'unknown' },
      { is: 'show', status: { phase: 'Failed', cause: { reason: 'WorkflowTerminated' } } },
    ],
    [
      'whose pods another operator has only created is left alone',
      { status: { conditions: [condition('Created')], startTime: '2026-01-01T00:00:00Z' } },
      { is: 'unknown' },
      { is: 'leaveAlone' },
    ],
    [
      'that another operator has suspended is started: it has no pods',
      { status: { conditions: [condition('Created'), condition('Suspended')] } },
      { is: 'unknown' },
      { is: 'start' },
    ],
    [
      'with the status of another operator is left alone',
      { status: { conditions: [condition('Created'), condition('Running')] } },
      { is: 'unknown' },
      { is: 'leaveAlone' },
    ],
    [
      'that was corrected before anything was started is started',
      { status: INVALID, generation: 2 },
      { is: 'unknown' },
      { is: 'start' },
    ],
    [
      'that a finalizer keeps shows the end of its job',
      { isDeleting: true, status: { runId: 'r1' } },
      closed('AnchorDeleted', 'Stopped'),
      { is: 'show', status: { phase: 'Stopped' } },
    ],
    [
      'that a finalizer keeps starts nothing',
      { isDeleting: true, status: INVALID, generation: 2 },
      closed('InvalidManifest'),
      { is: 'nothing' },
    ],
    [
      'that a finalizer keeps does not wait for its name',
      { isDeleting: true, status: { runId: 'r1' } },
      { is: 'nameTaken', runId: 'r0' },
      { is: 'nothing' },
    ],
  ])('%s', (_, more, job, expected) => {
    expect(nextStep(aResource(more), job)).toMatchObject(expected);
  });
});
