import type { Role } from '../../contracts/training-job.ts';
import { isFields, valueAt } from '../../language/fields.ts';

/** Labels by which queues of others hold a job, and whose they are. They read them from objects of jobs. */
const QUEUES: Readonly<Record<string, string>> = {
  'kueue.x-k8s.io/queue-name': 'Kueue',
  'kai.scheduler/queue': 'KAI Scheduler',
  'runai/queue': 'Run:ai',
  'yunikorn.apache.org/queue': 'YuniKorn',
};

/** What Kueue writes into the templates of a job that it has admitted, and removes from those that it suspends. */
const ADMITTED_BY_KUEUE = 'kueue.x-k8s.io/podset';

/**
 * Warns of labels and annotations of a job that name a queue in which it will not wait. One that is suspended waits until
 * somebody resumes it, as Kueue does with custom resources.
 */
export function queueWarnings(manifest: unknown, roles: readonly Role[]): string[] {
  if (valueAt(manifest, 'spec.runPolicy.suspend') === true) return [];
  if (roles.some(({ template }) => template.metadata?.labels?.[ADMITTED_BY_KUEUE] !== undefined)) return [];
  return ['metadata.labels', 'metadata.annotations'].flatMap((path) => {
    const given = valueAt(manifest, path);
    return Object.keys(isFields(given) ? given : {}).flatMap((name) => {
      const queue = QUEUES[name];
      if (queue === undefined) return [];
      return [
        `${path}[${name}]: the job does not wait in a queue of ${queue} and does not count against its quota; it starts at once`,
      ];
    });
  });
}
