import { z } from 'zod';
import type { Fault } from '../../../contracts/types.ts';
import { nearest } from '../../../language/did-you-mean.ts';
import { asFields, type Fields, withoutUndefined } from '../../../language/fields.ts';
import { didYouMean } from '../../../language/meant.ts';
import { describeValue, faultsOf } from '../../fields/faults.ts';
import type { ManifestOfSchedule, ScheduledKind } from '../../model/scheduled-kind.ts';
import { volcanoKind } from './volcano-job.ts';

const OVERLAPS = { Allow: 'allow', Forbid: 'skip', Replace: 'stop-running' } as const;

const spec = z.looseObject({
  schedule: z.string().min(1),
  timeZone: z.string().min(1).optional(),
  concurrencyPolicy: z.enum(['Allow', 'Forbid', 'Replace']).default('Allow'),
  startingDeadlineSeconds: z.int().min(0).optional(),
  suspend: z.boolean().default(false),
  jobTemplate: z.looseObject({ metadata: z.looseObject({}).optional(), spec: z.looseObject({}) }),
  successfulJobsHistoryLimit: z.int().min(0).optional(),
  failedJobsHistoryLimit: z.int().min(0).optional(),
});

/** CronJob of batch.volcano.sh/v1alpha1, whose Jobs Temporal starts. */
export const volcanoCronJob: ScheduledKind = {
  apiVersion: volcanoKind.apiVersion,
  kind: 'CronJob',
  read,
};

function read(manifest: Fields): ManifestOfSchedule | { readonly faults: readonly Fault[] } {
  const parsed = spec.safeParse(manifest.spec);
  const unknown = unknownFields(asFields(manifest.spec));
  if (!parsed.success) return { faults: [...faultsOf(parsed.error, manifest.spec, 'spec'), ...unknown] };
  if (unknown.length > 0) return { faults: unknown };
  const { schedule, timeZone, concurrencyPolicy, suspend, jobTemplate, startingDeadlineSeconds } =
    parsed.data;
  const catchUp = startingDeadlineSeconds === undefined ? undefined : startingDeadlineSeconds * 1_000;
  return {
    ...{ job: jobOf(manifest, jobTemplate), path: 'spec.jobTemplate', cron: [schedule] },
    ...{ overlap: OVERLAPS[concurrencyPolicy], paused: suspend },
    ...withoutUndefined({ timeZone, catchUp }),
    warnings: LIMITS.filter((name) => parsed.data[name] !== undefined).map(limitWarning),
  };
}

/** Its jobs are called after it, and have the labels and annotations of the template. */
function jobOf({ metadata }: Fields, template: z.infer<typeof spec>['jobTemplate']): Fields {
  const { name, namespace } = asFields(metadata);
  const { labels, annotations } = asFields(template.metadata);
  return {
    ...{ apiVersion: volcanoKind.apiVersion, kind: volcanoKind.kind },
    metadata: withoutUndefined({ name, namespace, labels, annotations }),
    spec: template.spec,
  };
}

const LIMITS = ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit'] as const;

const limitWarning = (name: string) =>
  `spec.${name}: without effect; the record keeps all jobs, and spec.jobTemplate.spec.ttlSecondsAfterFinished says when what they left in the cluster is deleted`;

const unknownFields = (given: Fields): readonly Fault[] =>
  Object.keys(given)
    .filter((name) => !Object.hasOwn(spec.shape, name))
    .map((name) => {
      const known = Object.keys(spec.shape);
      const meant = didYouMean(nearest(name, known));
      const expected = `one of the fields ${known.join(', ')}${meant && ` (${meant})`}`;
      return { path: `spec.${name}`, expected, got: describeValue(given[name]) };
    });
