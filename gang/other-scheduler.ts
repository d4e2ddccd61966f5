import type { GangProvider, Role, TrainingJob } from '../contracts/training-job.ts';
import { frameworkOf } from '../frameworks/kinds/registry.ts';
import { rolePath } from '../frameworks/model/framework.ts';
import { GANG_ADAPTERS } from './registry.ts';

/** Warns about templates that name another scheduler: they keep it, and the gang lacks their pods. */
export function otherSchedulers(job: TrainingJob, provider: GangProvider): string[] {
  const gangScheduler = GANG_ADAPTERS[provider].schedulerOf?.(job);
  if (gangScheduler === undefined) return [];
  return namedSchedulers(job)
    .filter(({ scheduler }) => scheduler !== gangScheduler)
    .map(
      ({ path, scheduler }) =>
        `${path}: names ${scheduler}; ${gangScheduler}, which places this gang, will not place these pods`,
    );
}

/** Returns the schedulers that templates name, with the path of each. */
export function namedSchedulers(job: TrainingJob): { readonly path: string; readonly scheduler: string }[] {
  return job.roles.flatMap(({ name, template }: Role) => {
    const { schedulerName } = template.spec;
    const path = `${rolePath(frameworkOf(job), name)}.template.spec.schedulerName`;
    return schedulerName ? [{ path, scheduler: schedulerName }] : [];
  });
}
