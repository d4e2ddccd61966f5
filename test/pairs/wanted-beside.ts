import type { Pod } from '../../contracts/kubernetes.ts';
import { isLed } from './manifest-of-job.ts';
import type { RandomJob } from './random-job.ts';

/** Which pods of others a job wants beside its own, by a required affinity that is not about these: they are not waited for. */
export function wantedBeside(job: RandomJob, namespace: string): ((pod: Pod) => boolean) | undefined {
  const { worker, lead } = job;
  const templates = isLed(job) && lead ? [worker, lead] : [worker];
  const terms = templates
    .flatMap(({ podTerm, otherTerm }) => [podTerm, otherTerm])
    .filter((term) => term !== undefined)
    .filter(({ is, isRequired, of, across }) => {
      const isOfOwn = of === 'itself' || (of === 'quiet' && (across === undefined || across === 'all'));
      return is === 'podAffinity' && isRequired && !isOfOwn;
    });
  if (terms.length === 0) return undefined;
  return ({ metadata }) =>
    terms.some(({ of, across }) => {
      const isNear = metadata.namespace === namespace;
      const isMeant =
        across === 'all' || (across === undefined && isNear) || (across === 'neighbours' && !isNear);
      return isMeant && metadata.labels?.app === of;
    });
}
