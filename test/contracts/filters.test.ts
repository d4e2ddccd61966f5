import { describe, expect, it, test } from '@jest/globals';
import {
  type ExactFilter,
  FILTERS,
  filterClauses,
  filterInWords,
  type JobFilterName,
  matchesFilter,
} from '../../contracts/filters.ts';

const JOB = {
  namespace: 'ml',
  name: 'resnet',
  kind: 'PyTorchJob',
  phase: 'Failed',
  reason: 'NodeLost',
  submittedBy: 'ana@laptop',
  labels: { team: 'vision', tier: '1' },
  startTime: '2026-11-23T08:00:00.000Z',
  endTime: '2026-11-23T09:00:00.000Z',
} as const;

const at = (hour: string) => new Date(`2026-11-23T${hour}:00:00Z`);

/** For each filter: what chooses the job, what does not, and the condition. */
const CASES: { readonly [K in JobFilterName]: readonly [Given<K>, Given<K>, readonly string[]] } = {
  namespace: ['ml', 'other', ["(JobNamespace = 'ml' OR WorkflowId STARTS_WITH 'job/ml/')"]],
  name: ['resnet', 'res', ["JobName = 'resnet'"]],
  kind: ['PyTorchJob', 'MPIJob', ["JobKind = 'PyTorchJob'"]],
  labels: [{ team: 'vision' }, { team: 'vision', tier: '2' }, ["JobLabels = 'team=vision'"]],
  submittedBy: ['ana@laptop', 'ana', ["JobSubmittedBy = 'ana@laptop'"]],
  since: [at('08'), at('09'), ["StartTime >= '2026-11-23T08:00:00.000Z'"]],
  until: [at('09'), at('08'), ["StartTime < '2026-11-23T09:00:00.000Z'"]],
  endedSince: [at('09'), at('10'), []],
  endedBefore: [at('10'), at('09'), []],
  phase: [
    ['Failed', 'Running'],
    ['Running'],
    [
      "((JobPhase = 'Failed' OR (ExecutionStatus IN ('Failed') AND (JobPhase IS NULL OR JobPhase NOT IN ('Completed', 'Failed', 'Stopped')))) OR (JobPhase = 'Running' AND ExecutionStatus = 'Running'))",
    ],
  ],
  reason: ['NodeLost', 'PodFailed', ["JobReason = 'NodeLost'"]],
};

type Given<K extends JobFilterName> = NonNullable<ExactFilter[K]>;

describe.each(Object.entries(CASES))('the filter %s', (name, [chosen, other, clauses]) => {
  it('chooses the jobs that match', () => {
    expect(matchesFilter(JOB, { [name]: chosen })).toBe(true);
    expect(matchesFilter(JOB, { [name]: other })).toBe(false);
  });

  it('is a condition of the visibility store', () => {
    expect(filterClauses({ [name]: chosen })).toEqual(clauses);
  });
});

test('a filter of times takes no job without that time', () => {
  expect(matchesFilter({ ...JOB, endTime: undefined }, { endedSince: at('00') })).toBe(false);
  expect(matchesFilter({ ...JOB, endTime: undefined }, { endedBefore: at('23') })).toBe(false);
});

test('all filters must match, and none chooses every job', () => {
  expect(matchesFilter(JOB, { name: 'resnet', kind: 'MPIJob' })).toBe(false);
  expect(matchesFilter(JOB, {})).toBe(true);
  expect(filterClauses({})).toEqual([]);
});

test('a value cannot end its condition', () => {
  expect(filterClauses({ name: "o'ne\\' OR '1'='1" })).toEqual(["JobName = 'o\\'ne\\\\\\' OR \\'1\\'=\\'1'"]);
});

test('a reason that Temporal gives a closed workflow is found by its status, too', () => {
  expect(filterClauses({ reason: 'Cancelled' })).toEqual([
    "(JobReason = 'Cancelled' OR ExecutionStatus IN ('Canceled'))",
  ]);
});

test('a sentence names all filters', () => {
  const filter = Object.fromEntries(Object.entries(CASES).map(([name, [chosen]]) => [name, chosen]));
  expect(filterInWords(filter)).toBe(
    'in namespace ml called resnet of kind PyTorchJob with team=vision submitted by ana@laptop submitted since 2026-11-23T08:00:00.000Z submitted before 2026-11-23T09:00:00.000Z ended since 2026-11-23T09:00:00.000Z ended before 2026-11-23T10:00:00.000Z are Failed or Running for the reason NodeLost',
  );
  expect(Object.keys(CASES)).toEqual(Object.keys(FILTERS));
});
