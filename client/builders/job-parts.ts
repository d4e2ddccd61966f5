import { unlessEmpty } from '../../contracts/fields.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import type { JobMetadata, ManifestRunPolicy } from '../manifests.ts';
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
  const { cleanPodPolicy, ttlSeconds, deadlineSeconds, backoffLimit, suspend } = options;
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

/** Removes fields that are undefined, so that a manifest is plain JSON. */
export const given = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
