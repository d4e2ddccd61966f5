import { isSuspendedByManifest } from '../../contracts/suspended-manifest.ts';
import type { Role, TrainingJob } from '../../contracts/training-job.ts';
import { asFields, ownValue, valueAt } from '../../language/fields.ts';
import { celRole, celSuspended, celText, EACH_ROLE } from '../model/cel.ts';
import { ANY_ROLE, type Framework } from '../model/framework.ts';
import type { ManifestWarning } from '../model/manifest-warning.ts';
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

/** Not the label of Kueue, because the cluster decides about that. */
const NOT_READ = ['metadata.labels', 'metadata.annotations'].flatMap((path) =>
  Object.entries(QUEUES)
    .filter(([name]) => name !== KUEUE_QUEUE || path !== 'metadata.labels')
    .map(([name, queue]) => ({ path, name, sentence: notQueued(path, name, queue) })),
);

/**
 * Warns of labels and annotations of a job that name a queue in which it will not wait. One that is suspended waits until
 * a user resumes it.
 */
export const queueWarning = ({
  roles,
  dialect: { suspend },
}: Framework): ManifestWarning<{ readonly manifest: unknown; readonly job: Pick<TrainingJob, 'roles'> }> => ({
  in: ({ manifest, job }) => {
    if (isSuspendedByManifest(manifest) || isAdmittedByKueue(job.roles)) return [];
    return NOT_READ.filter(
      ({ path, name }) => ownValue(asFields(valueAt(manifest, path)), name) !== undefined,
    ).map(({ sentence }) => sentence);
  },
  cel: () => {
    const hasLabel = (name: string) =>
      `${celRole(name).template}.?metadata.?labels[?${celText(ADMITTED_BY_KUEUE)}].hasValue()`;
    const isAdmitted = roles.map(({ name }) =>
      name === ANY_ROLE ? `variables.keys.exists(k, ${hasLabel(EACH_ROLE)})` : hasLabel(name),
    );
    const waits = [...celSuspended(suspend), ...isAdmitted].join(' || ');
    const found = NOT_READ.map(({ path, name, sentence }) => {
      const keys = `object.${path.replace('.', '.?')}`;
      return `(${keys}[?${celText(name)}].hasValue() ? [${celText(sentence)}] : [])`;
    });
    return `${waits} ? [] : ${found.join(' + ')}`;
  },
});
