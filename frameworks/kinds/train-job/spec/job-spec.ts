import { z } from 'zod';
import { count, INT32, ofKubernetes, podSpec, templateMetadata } from '../../../fields/manifest-schema.ts';
import { unsupported } from '../../../fields/unsupported.ts';

const POLICY = 'signalbox.dev/policy';

const onExitCodes = z.looseObject({
  containerName: z.string().optional(),
  operator: z.enum(['In', 'NotIn']),
  values: z.array(z.int().min(0).max(255)).min(1),
});

const podFailureRule = z.looseObject({
  action: z.enum(['FailJob', 'Ignore', 'Count'], {
    error: 'one of FailJob, Ignore, Count (FailIndex needs backoffLimitPerIndex, which is not supported)',
  }),
  onExitCodes: onExitCodes.optional(),
  onPodConditions: z.array(z.looseObject({ type: z.string(), status: z.string().optional() })).optional(),
});
export type PodFailureRule = z.infer<typeof podFailureRule>;

/** The spec of the batch Job that JobSet makes of a replicated job, as far as it means something for the pods. */
export const jobSpec = z.looseObject({
  parallelism: z.int().min(1).max(INT32).optional(),
  completions: z.int().min(1).max(INT32).optional(),
  completionMode: z.literal('Indexed', { error: 'Indexed: each pod has an index here' }).optional(),
  backoffLimit: count.optional(),
  podFailurePolicy: z.looseObject({ rules: z.array(podFailureRule) }).optional(),
  podReplacementPolicy: z.enum(['TerminatingOrFailed', 'Failed']).optional(),
  suspend: z.boolean().optional(),
  activeDeadlineSeconds: unsupported('set spec.activeDeadlineSeconds of the TrainJob'),
  backoffLimitPerIndex: unsupported('set backoffLimit of the Job, or a ladder of signalbox.dev/policy'),
  maxFailedIndexes: unsupported(`limit restarts by backoffLimit, or by restart.ladder of ${POLICY}`),
  successPolicy: unsupported('every pod of a replicated job must succeed'),
  ttlSecondsAfterFinished: unsupported('set template.spec.ttlSecondsAfterFinished of the runtime'),
  selector: unsupported('pods are found by the labels of JobSet'),
  manualSelector: unsupported('pods are found by the labels of JobSet'),
  managedBy: unsupported('signalbox makes the pods itself'),
  template: ofKubernetes(z.looseObject({ metadata: templateMetadata.optional(), spec: podSpec })),
});

/** As JobSet and the Job controller take them. */
export const DEFAULT_BACKOFF_LIMIT = 6;
export const DEFAULT_RESTART_POLICY = 'OnFailure';
