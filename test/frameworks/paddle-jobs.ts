import type { ConfigMap, KubeObject, Pod } from '../../contracts/kubernetes.ts';
import { podNameOf } from '../../contracts/labels.ts';
import type { Conventions, TrainingJob } from '../../contracts/training-job.ts';
import { formatFault } from '../../frameworks/fields/faults.ts';
import { parseManifest } from '../../frameworks/manifest/parse-manifest.ts';
import { renderAttempt } from '../../resources/attempt.ts';
import { renderHostList } from '../../resources/shared.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function aRole(replicas: number | undefined, ofPod: Fields = {}, ...sidecars: Fields[]) {
  const containers = [{ name: 'paddle', image: 'i' }, ...sidecars];
  return { replicas, template: { spec: { containers, ...ofPod } } };
}

/** Of two workers, unless the spec says otherwise. */
export const manifestOf = (spec: Fields, annotations: Readonly<Record<string, string>> = {}) => ({
  apiVersion: 'batch.paddlepaddle.org/v1',
  kind: 'PaddleJob',
  metadata: { name: 'wide', annotations },
  spec: JSON.parse(JSON.stringify({ worker: aRole(2), ...spec })),
});

export function jobWith(
  spec: Fields,
  conventions: Partial<Conventions> = {},
  annotations: Readonly<Record<string, string>> = {},
): TrainingJob {
  const parsed = parseManifest(manifestOf(spec, annotations), { namespace: 'ml', conventions });
  if ('faults' in parsed) throw new Error(parsed.faults.map(formatFault).join('\n'));
  return parsed.job;
}

export function faultsOf(spec: Fields, annotations: Readonly<Record<string, string>> = {}): string[] {
  const parsed = parseManifest(manifestOf(spec, annotations), { namespace: 'ml' });
  return 'faults' in parsed ? parsed.faults.map(formatFault) : [];
}

export function objectsOf(job: TrainingJob): readonly KubeObject[] {
  const attempt = { number: 1, anchorUid: 'anchor' };
  const { shared, services, pods } = renderAttempt(job, attempt, { gang: 'none', asGang: true });
  return [...shared, ...services, ...pods];
}

export const podsOf = (job: TrainingJob) => objectsOf(job).filter(({ kind }) => kind === 'Pod') as Pod[];

export const dataOf = (objects: readonly KubeObject[]) =>
  (objects.find(({ kind }) => kind === 'ConfigMap') as ConfigMap | undefined)?.data;

export const hostListOf = (job: TrainingJob, addresses: readonly string[]) =>
  renderHostList(job, 'anchor', membersOf(job, addresses));

/** The pods of a job in their order, as many as there are addresses. */
export const membersOf = ({ name: job, roles }: TrainingJob, addresses: readonly string[]) =>
  roles
    .flatMap(({ name, replicas }) =>
      Array.from({ length: replicas }, (_, index) => ({
        pod: podNameOf(job, name, index),
        role: name,
        index,
      })),
    )
    .slice(0, addresses.length)
    .map((member, index) => ({ ...member, address: addresses[index]! }));
