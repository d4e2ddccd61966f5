import { ANNOTATIONS } from '../../../contracts/labels.ts';
import { unlessEmpty } from '../../../language/fields.ts';
import type { JobMetadata, ManifestRunPolicy } from '../manifest-types.ts';
import type { AnyJobOptions, JobOptions } from './builder-options.ts';

/** Returns the metadata of a job, with its settings as annotations. */
export function metadataOf({ name, namespace, labels, policy, gang, ...others }: AnyJobOptions): JobMetadata {
  const annotations = unlessEmpty({
    ...others.annotations,
    // JSON is YAML.
    ...(policy === undefined ? {} : { [ANNOTATIONS.policy]: JSON.stringify(policy) }),
    ...(gang === undefined ? {} : { [ANNOTATIONS.gang]: gang }),
  });
  return {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels ? { labels: { ...labels } } : {}),
    ...(annotations ? { annotations } : {}),
  };
}

/** Returns the runPolicy as a part of spec; empty if no option belongs there. */
export function runPolicyOf(options: JobOptions): { readonly runPolicy?: ManifestRunPolicy } {
  const { cleanPodPolicy, ttlSeconds, deadlineSeconds, suspend } = options;
  const { backoffLimit } = failureRules(options);
  const runPolicy = unlessEmpty(
    given({
      cleanPodPolicy,
      ttlSecondsAfterFinished: ttlSeconds,
      activeDeadlineSeconds: deadlineSeconds,
      backoffLimit,
      suspend,
    }),
  );
  return runPolicy ? { runPolicy } : {};
}

/** Restarts of a job that is to survive failures, unless `backoffLimit` or `restartPolicy` says otherwise. */
const RESTARTS = 3;

/**
 * A program that crashes must not be restarted for ever, as the original operators do by default: the caller of a builder
 * waits for an outcome. Failures are retried where an option asks for that: a number of restarts, elastic nodes, or a
 * policy of restarts.
 */
export function failureRules<P extends string>({
  restartPolicy,
  backoffLimit,
  elastic,
  policy,
}: FailureOptions<P>): FailureRules<P> {
  if (restartPolicy !== undefined) return { restartPolicy, backoffLimit };
  const isRetried = Boolean(backoffLimit) || elastic !== undefined || policy?.restart !== undefined;
  return isRetried
    ? { restartPolicy: 'OnFailure', backoffLimit: backoffLimit ?? RESTARTS }
    : { restartPolicy: 'Never', backoffLimit };
}

interface FailureOptions<P> extends Pick<JobOptions, 'backoffLimit' | 'policy'> {
  readonly restartPolicy?: P;
  readonly elastic?: object;
}

interface FailureRules<P> {
  readonly restartPolicy: P | 'Never' | 'OnFailure';
  readonly backoffLimit: number | undefined;
}

/** Removes fields that are undefined, so that a manifest is plain JSON. */
export const given = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
