import type { Role } from '../../../contracts/training-job.ts';
import type { Fault } from '../../../contracts/types.ts';
import { checkAwaited } from '../../fields/awaited-roles.ts';
import { optionsOfTask } from './task.ts';

const awaitedOf = (task: Role): readonly string[] => optionsOfTask(task).dependsOn?.name ?? [];

export const waitsForTasks = (task: Role): boolean => awaitedOf(task).length > 0;

/** Returns what a task waits for, as the plan has it. */
export const afterTasks = (task: Role) => {
  const { dependsOn } = optionsOfTask(task);
  if (!dependsOn) return {};
  return { after: dependsOn.name, ...(dependsOn.iteration === 'any' ? { afterAny: true as const } : {}) };
};

/** Returns the tasks that wait for no task of the job, or for each other. */
export const checkDependencies = (tasks: readonly Role[]): Fault[] =>
  checkAwaited(
    tasks.map((task, index) => {
      const path = `spec.tasks[${index}].dependsOn`;
      return { name: task.name, awaited: awaitedOf(task), path, pathOf: (at) => `${path}.name[${at}]` };
    }),
    'task',
  );
