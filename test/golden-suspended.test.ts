import { describe, expect, it } from '@jest/globals';
import type { TrainingJob } from '../contracts/training-job.ts';
import { renderShared } from '../resources/shared.ts';
import { readCase } from './comparison/case.ts';
import { Course } from './comparison/course.ts';
import { asLauncherPod } from './comparison/launcher-job.ts';
import { comparable, keyOf } from './comparison/objects.ts';
import type { Observed, ObservedStatus } from './comparison/observed.ts';
import { asKubeflow } from './comparison/statuses.ts';
import { differencesOf } from './golden-differences/registry.ts';

/** mpi-operator was given a job that was suspended, resumed it, and suspended it again. */
const { job, observed, rendered } = readCase('mpi-v2-suspended');
const differences = differencesOf(job);

const born = (job: TrainingJob) => new Course(job);
const suspendedAgain = (job: TrainingJob) => resumed(job).suspends();

function resumed(job: TrainingJob): Course {
  const ready = Object.fromEntries(job.roles.map(({ name }) => [name, 'ready'] as const));
  return born(job).resumes().sees(ready).sees(ready);
}

describe('a job that is created suspended, compared with mpi-operator,', () => {
  it('has the same shared objects', () => {
    const made = observed.created.filter(({ kind }) => kind !== 'Pod');
    expect(comparable(renderShared(job, 'anchor'), differences)).toEqual(comparable(made, differences));
    expect(job.plan.sharesWhileSuspended).toBe(true);
  });

  it('has the same pods when it is resumed', () => {
    const after = observed.createdAfterResume as Observed['created'];
    const { created } = asLauncherPod({ ...observed, created: after }, job);
    expect(comparable(rendered, differences)).toEqual(comparable(created, differences));
  });

  it('keeps the same objects when it is suspended again', () => {
    const left = (observed.objectsAfterSuspendAgain as string[]).filter((key) => !key.startsWith('Job/'));
    expect(renderShared(job, 'anchor').map(keyOf).sort()).toEqual(left);
  });
});

describe('a job that is created suspended, compared with training-operator,', () => {
  const golden = readCase('pytorch-suspended');
  const listed = differencesOf(golden.job);

  it('has no objects before it is resumed, and then the same as any job', () => {
    expect(renderShared(golden.job, 'anchor')).toEqual([]);
    expect(comparable(golden.rendered, listed)).toEqual(comparable(golden.observed.created, listed));
  });
});

describe.each(['mpi-v2-suspended', 'pytorch-suspended'])('the status of %s', (name) => {
  const { job, observed } = readCase(name);

  it.each([
    ['when it was made', 'statusWhenRunning', born],
    ['when it was resumed', 'statusAfterResume', resumed],
    ['when it was suspended again', 'statusAfterSuspendAgain', suspendedAgain],
  ] as const)('is the same %s', (_, snapshot, course) => {
    const wanted = observed[snapshot] as ObservedStatus;
    expect(asKubeflow(course(job).status)).toMatchObject(wanted);
  });
});
