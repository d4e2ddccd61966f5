import type { KubeObject } from '../../../contracts/kubernetes.ts';
import { JOB_SET_LABEL } from './marks.ts';
import type { JobWithRuntime } from './policies/ml-policy.ts';
import { podSpecOf, withPodSpec, withVolumeOf } from './spec/containers.ts';
import type { ReplicatedJob } from './spec/runtime.ts';

/** Claims that are made for the job, and go with it. */

const templatesOf = ({ options }: JobWithRuntime) =>
  (options.runtime.template.spec.volumeClaimPolicies ?? []).flatMap(({ templates }) => templates);

const claimNameOf = (template: string, { name }: JobWithRuntime) => `${template}-${name}`;

export const claimsOfRuntime = (job: JobWithRuntime): readonly KubeObject[] =>
  templatesOf(job).map(({ metadata, spec }) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      ...(metadata as object),
      name: claimNameOf(metadata.name, job),
      labels: { ...metadata.labels, [JOB_SET_LABEL]: job.name },
    },
    spec,
  }));

/** Gives the pods of a replicated job the volumes of the claims that their containers mount. */
export function claimed(replicated: ReplicatedJob, job: JobWithRuntime): ReplicatedJob {
  const { containers, initContainers = [] } = podSpecOf(replicated);
  const mounts = [...initContainers, ...containers].flatMap(
    ({ volumeMounts = [] }) => volumeMounts as readonly { readonly name: string }[],
  );
  const mounted = new Set(mounts.map(({ name }) => name));
  return templatesOf(job)
    .filter(({ metadata }) => mounted.has(metadata.name))
    .reduce((one, { metadata: { name } }) => {
      const volume = { name, persistentVolumeClaim: { claimName: claimNameOf(name, job) } };
      return withPodSpec(one, (spec) => withVolumeOf(spec, volume));
    }, replicated);
}
