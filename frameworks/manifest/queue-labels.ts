import { isSuspendedByManifest } from '../../contracts/suspended-manifest.ts';
import type { Role } from '../../contracts/training-job.ts';
import { isFields, valueAt } from '../../language/fields.ts';
import { KUEUE_QUEUE } from './gang-request.ts';

/** Labels by which queues of others hold a job, and whose they are. They read them from objects of jobs. */
const QUEUES: Readonly<Record<string, string>> = {
  [KUEUE_QUEUE]: 'Kueue',
  'kai.scheduler/queue': 'KAI Scheduler',
  'runai/queue': 'Run:ai',
  'yunikorn.apache.org/queue': 'YuniKorn',
};

/** What Kueue writes into the templates of a job that it has admitted, and removes from those that it suspends. */
const ADMITTED_BY_KUEUE = 'kueue.x-k8s.io/podset';

/** Whether the templates are those of a custom resource that waited in a queue of Kueue. */
export const isAdmittedByKueue = (roles: readonly Role[]): boolean =>
  roles.some(({ template }) => template.metadata?.labels?.[ADMITTED_BY_KUEUE] !== undefined);

/** Says that a label or an annotation of a job names a queue in which it will not wait. */
export const notQueued = (path: string, name: string, queue: string): string =>
  `${path}[${name}]: the job does not wait in a queue of ${queue} and does not count against its quota; it starts at once`;

/**
 * Warns of labels and annotations of a job that name a queue in which it will not wait; not of the label of Kueue, because the
 * cluster decides about that. One that is suspended waits until somebody resumes it.
 */
export function queueWarnings(manifest: unknown, roles: readonly Role[]): string[] {
  if (isSuspendedByManifest(manifest)) return [];
  if (isAdmittedByKueue(roles)) return [];
  return ['metadata.labels', 'metadata.annotations'].flatMap((path) => {
    const given = valueAt(manifest, path);
    return Object.keys(isFields(given) ? given : {}).flatMap((name) => {
      const queue = QUEUES[name];
      const isForKueue = name === KUEUE_QUEUE && path === 'metadata.labels';
      return queue === undefined || isForKueue ? [] : [notQueued(path, name, queue)];
    });
  });
}
