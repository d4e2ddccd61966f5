import { describe, expect, it } from '@jest/globals';
import { FRAMEWORKS } from '../frameworks/kinds/registry.ts';
import { parseManifest } from '../frameworks/manifest/parse-manifest.ts';
import { CASES, REFUSED, readCase, readManifest } from './comparison/case.ts';
import { courseOf } from './comparison/course.ts';
import { failuresOf } from './comparison/failures.ts';
import { leftAfter } from './comparison/left.ts';
import { mpiLeftOf, mpiStatusesOf } from './comparison/mpi-statuses.ts';
import { comparable, has } from './comparison/objects.ts';
import type { GoldenCase, ObservedStatus } from './comparison/observed.ts';
import { paddleLeftOf, paddleStatusesOf } from './comparison/paddle-statuses.ts';
import { asKubeflow } from './comparison/statuses.ts';
import { isOfTrainer } from './comparison/train-job-objects.ts';
import { trainLeftOf, trainStatusesOf } from './comparison/train-job-statuses.ts';
import { volcanoLeftOf, volcanoStatusesOf } from './comparison/volcano-statuses.ts';
import { COMPATIBILITY, differencesOf } from './golden-differences/registry.ts';

/** Its queue may come later (queues). */
const ACCEPTED: ReadonlySet<string> = new Set(['vcjob-invalid-queue']);

/**
 * Not those in which paddle-operator crashed, see frameworks/paddle-operator.test.ts, or was made to scale, see
 * scenarios/scaling-compared.scenario.test.ts; nor others than TrainJobs that were
 * suspended, see golden-suspended.test.ts.
 */
const COMPARED = CASES.filter((name) => {
  const { observed, job } = readCase(name);
  return observed.created.length > 0 && (isOfTrainer(name) || !job.plan.runPolicy.suspend);
});

describe.each(COMPARED)('signalbox, compared with the original operator for %s,', (name) => {
  const golden = readCase(name);
  const { job, observed, rendered } = golden;
  const differences = differencesOf(job);

  it('renders the same objects, except for the listed differences', () => {
    expect(comparable(rendered, differences)).toEqual(comparable(observed.created, differences));
  });

  const statuses = [...(isOfTrainer(name) ? trainStatusesOf(golden) : othersOf(golden))];
  if (statuses.length > 0) {
    it.each(statuses)('has the same status %s', (_, wanted, got) => {
      expect(got()).toMatchObject(wanted as object);
    });
  }

  const left = (isOfTrainer(name) ? [trainLeftOf] : [leftOf, mpiLeftOf, paddleLeftOf, volcanoLeftOf]).flatMap(
    (rows) => rows(golden),
  );
  if (left.length > 0) {
    it.each(left)('leaves the same objects %s', (_, wanted, got) => {
      expect(got()).toEqual(wanted);
    });
  }
});

describe('signalbox refuses what the original operator refused:', () => {
  it.each(REFUSED)('%s', (name) => {
    const parsed = parseManifest(readManifest(name), { namespace: 'default' });
    expect('faults' in parsed).toBe(!ACCEPTED.has(name));
  });
});

describe('the listed differences', () => {
  const cases = CASES.map(readCase);

  it('are of existing kinds', () => {
    const kinds = COMPATIBILITY.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
    expect(FRAMEWORKS.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual(
      expect.arrayContaining(kinds),
    );
  });

  const parts = COMPATIBILITY.flatMap(({ apiVersion, kind, differences }) =>
    differences.flatMap(({ id, leavesOut = [] }) =>
      leavesOut.map((part) => [`${kind} ${id}`, part, { apiVersion, kind }] as const),
    ),
  );

  it.each(parts)('still apply to a part that exists: %s, %j', (_, part, { apiVersion, kind }) => {
    const ofKind = cases.filter(({ job }) => job.apiVersion === apiVersion && job.kind === kind);
    const everything = ofKind.flatMap(({ observed, rendered }) => [...observed.created, ...rendered]);
    expect(has(everything, part)).toBe(true);
  });
});

function othersOf(golden: GoldenCase) {
  return [
    ...statusesOf(golden),
    ...mpiStatusesOf(golden),
    ...paddleStatusesOf(golden),
    ...volcanoStatusesOf(golden),
    ...failuresOf(golden),
  ];
}

/** Those of paddle-operator have none, and Volcano's say only phases. */
function hasKubeflowConditions({ conditions }: ObservedStatus): boolean {
  return Array.isArray(conditions) && conditions.every((one) => typeof one === 'object');
}

/** The snapshots of Kubeflow's operators that a course of the machine leads to. */
function statusesOf({ job, observed }: GoldenCase) {
  const running = observed.statusWhenRunning;
  const succeeded = observed.statusWhenAllSucceeded;
  if (!running || !succeeded || !hasKubeflowConditions(running)) return [];
  const rows = [
    ['while it runs', running, () => asKubeflow(courseOf(job, running).whenRunning)],
    ['when it has succeeded', succeeded, () => asKubeflow(courseOf(job, running).whenSucceeded)],
  ] as const;
  // One whose launcher was never made has not ended.
  return succeeded.completionTime ? rows : rows.slice(0, 1);
}

function leftOf({ job, observed, rendered }: GoldenCase) {
  const { objectsLeft, statusWhenRunning: running, statusWhenAllSucceeded: succeeded } = observed;
  if (!objectsLeft || !running || !succeeded?.completionTime || !hasKubeflowConditions(running)) return [];
  const kinds = new Set(rendered.map(({ kind }) => kind));
  const wanted = objectsLeft.filter((key) => kinds.has(key.split('/')[0]!));
  const got = () => leftAfter(courseOf(job, running).scope, job.plan, rendered);
  return [['when it has succeeded', wanted, got]] as const;
}
