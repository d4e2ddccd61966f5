import { describe, expect, it } from '@jest/globals';
import { FRAMEWORKS } from '../frameworks/kinds/registry.ts';
import { CASES, readCase } from './comparison/case.ts';
import { courseOf } from './comparison/course.ts';
import { failuresOf } from './comparison/failures.ts';
import { leftAfter } from './comparison/left.ts';
import { mpiLeftOf, mpiStatusesOf } from './comparison/mpi-statuses.ts';
import { comparable, has } from './comparison/objects.ts';
import type { GoldenCase } from './comparison/observed.ts';
import { paddleLeftOf, paddleStatusesOf } from './comparison/paddle-statuses.ts';
import { asKubeflow } from './comparison/statuses.ts';
import { COMPATIBILITY, differencesOf } from './golden-differences/registry.ts';

/**
 * Not those in which paddle-operator crashed, see frameworks/paddle-operator.test.ts, or was made to scale, see
 * scenarios/scaling-compared.scenario.test.ts; nor one that was suspended, see golden-suspended.test.ts.
 */
const COMPARED = CASES.filter((name) => {
  const { observed, job } = readCase(name);
  return observed.created.length > 0 && !job.plan.runPolicy.suspend;
});

describe.each(COMPARED)('signalbox, compared with the original operator for %s,', (name) => {
  const golden = readCase(name);
  const { job, observed, rendered } = golden;
  const differences = differencesOf(job);

  it('renders the same objects, except for the listed differences', () => {
    expect(comparable(rendered, differences)).toEqual(comparable(observed.created, differences));
  });

  it.each([
    ...statusesOf(golden),
    ...mpiStatusesOf(golden),
    ...paddleStatusesOf(golden),
    ...failuresOf(golden),
  ])('has the same status %s', (_, wanted, got) => {
    expect(got()).toMatchObject(wanted as object);
  });

  it.each([...leftOf(golden), ...mpiLeftOf(golden), ...paddleLeftOf(golden)])(
    'leaves the same objects %s',
    (_, wanted, got) => {
      expect(got()).toEqual(wanted);
    },
  );
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

/** The snapshots of Kubeflow's operators that a course of the machine leads to. */
function statusesOf({ job, observed }: GoldenCase) {
  const running = observed.statusWhenRunning;
  const succeeded = observed.statusWhenAllSucceeded;
  if (!running || !succeeded || !('conditions' in running)) return [];
  const rows = [
    ['while it runs', running, () => asKubeflow(courseOf(job, running).whenRunning)],
    ['when it has succeeded', succeeded, () => asKubeflow(courseOf(job, running).whenSucceeded)],
  ] as const;
  // One whose launcher was never made has not ended.
  return succeeded.completionTime ? rows : rows.slice(0, 1);
}

function leftOf({ job, observed, rendered }: GoldenCase) {
  const { objectsLeft, statusWhenRunning: running, statusWhenAllSucceeded: succeeded } = observed;
  if (!objectsLeft || !running || !succeeded?.completionTime || !('conditions' in running)) return [];
  const kinds = new Set(rendered.map(({ kind }) => kind));
  const wanted = objectsLeft.filter((key) => kinds.has(key.split('/')[0]!));
  const got = () => leftAfter(courseOf(job, running).scope, job.plan, rendered);
  return [['when it has succeeded', wanted, got]] as const;
}
