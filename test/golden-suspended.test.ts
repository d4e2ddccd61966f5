import { describe, expect, it } from '@jest/globals';
import { differencesOf } from '../frameworks/compatibility/registry.ts';
import { renderShared } from '../resources/shared.ts';
import { type Observed, type ObservedStatus, readCase } from './comparison/case.ts';
import { Course } from './comparison/course.ts';
import { asLauncherPod } from './comparison/launcher-job.ts';
import { comparable, keyOf } from './comparison/objects.ts';
import { asKubeflow } from './comparison/statuses.ts';

/** mpi-operator was given a job that was suspended, resumed it, and suspended it again. */
const { job, observed, rendered } = readCase('mpi-v2-suspended');
const differences = differencesOf(job);

const born = () => new Course(job);
const resumed = () => born().resumes().sees({ Launcher: 'ready', Worker: 'ready' });
const suspendedAgain = () => resumed().suspends();

describe('what mpi-operator made of a job that is suspended from its birth', () => {
  it('is made here as well: what its pods will share', () => {
    const made = observed.created.filter(({ kind }) => kind !== 'Pod');
    expect(comparable(renderShared(job, 'anchor'), differences)).toEqual(comparable(made, differences));
    expect(job.plan.sharesWhileSuspended).toBe(true);
  });

  it('is made when it is resumed', () => {
    const after = observed.createdAfterResume as Observed['created'];
    const { created } = asLauncherPod({ ...observed, created: after }, job);
    expect(comparable(rendered, differences)).toEqual(comparable(created, differences));
  });

  it('stays when it is suspended again', () => {
    const left = (observed.objectsAfterSuspendAgain as string[]).filter((key) => !key.startsWith('Job/'));
    expect(renderShared(job, 'anchor').map(keyOf).sort()).toEqual(left);
  });
});

describe('the status of such a job', () => {
  it.each([
    ['when it was made', 'statusWhenRunning', born],
    ['when it was resumed', 'statusAfterResume', resumed],
    ['when it was suspended again', 'statusAfterSuspendAgain', suspendedAgain],
  ] as const)('is the same %s', (_, snapshot, course) => {
    const wanted = observed[snapshot] as ObservedStatus;
    expect(asKubeflow(course().status)).toMatchObject(wanted);
  });
});
