import { apiGroupOf } from '../../contracts/kubernetes.ts';
import type { Fault } from '../../contracts/types.ts';
import { nearest } from '../../language/did-you-mean.ts';
import { asFields } from '../../language/fields.ts';
import { didYouMean } from '../../language/meant.ts';
import { describeValue } from '../fields/faults.ts';
import { FRAMEWORKS, findFramework } from '../kinds/registry.ts';
import type { Framework } from '../model/framework.ts';

/** Returns the framework of a manifest, or why it has none. */
export function frameworkFor(manifest: unknown): Framework | Fault[] {
  if (manifest === null || typeof manifest !== 'object' || Array.isArray(manifest)) {
    return [{ path: 'manifest', expected: 'one object', got: describeValue(manifest) }];
  }
  const { apiVersion, kind } = asFields(manifest);
  const framework = findFramework(apiVersion, kind);
  if (framework) return framework;
  const versions = FRAMEWORKS.filter((one) => one.kind === kind).map((one) => one.apiVersion);
  if (versions.length > 0) {
    return [{ path: 'apiVersion', expected: oneOf(versions), got: describeValue(apiVersion) }];
  }
  const meant = typeof kind === 'string' ? nearest(kind, KINDS()) : undefined;
  const advice = insteadOf(apiVersion, kind) ?? (meant && didYouMean(meant));
  const expected = `${oneOf(KINDS())}${advice ? ` (${advice})` : ''}`;
  return [{ path: 'kind', expected, got: describeValue(kind) }];
}

/**
 * Returns whether a document is a job, possibly with faults, rather than another object kept in the same file: its kind
 * resembles a kind of job, or it ends in `Job` in an API group of jobs.
 */
export function looksLikeJob(document: unknown): boolean {
  if (document === null || typeof document !== 'object') return true;
  const { apiVersion, kind } = asFields(document);
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return true;
  if (isOfKubernetes(apiVersion, kind)) return false;
  if (nearest(kind, KINDS()) !== undefined) return true;
  if (insteadOf(apiVersion, kind) !== undefined) return kind.includes('Job');
  const groups = FRAMEWORKS.map((one) => apiGroupOf(one.apiVersion));
  return groups.includes(apiGroupOf(apiVersion)) && /job$/i.test(kind);
}

/** Whether a newer version may know the kind of a manifest: it resembles none of this version. */
export function mayBeOfNewerKind(manifest: object): boolean {
  const { apiVersion, kind } = asFields(manifest);
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return false;
  return nearest(kind, KINDS()) === undefined;
}

/** What to do instead with kinds of the same APIs that are no jobs. */
const INSTEAD: Readonly<Record<string, string>> = {
  'batch.volcano.sh CronJob': 'it is a schedule: `signalbox schedule create FILE` takes it as it is',
  'flow.volcano.sh JobFlow': 'submit its Jobs one after another; within one Job, tasks have dependsOn',
  'training.volcano.sh HyperJob': 'submit one Job in each cluster',
  'trainer.kubeflow.org OptimizationJob':
    '`signalbox sweep` runs a TrainJob with many values of its parameters',
  'trainer.kubeflow.org TrainingRuntime': 'it is no job: give it beside the TrainJob that names it',
  'trainer.kubeflow.org ClusterTrainingRuntime': 'it is no job: give it beside the TrainJob that names it',
};

const insteadOf = (apiVersion: unknown, kind: unknown): string | undefined =>
  typeof apiVersion === 'string' ? INSTEAD[`${apiGroupOf(apiVersion)} ${kind}`] : undefined;

/** Kubernetes' own Job, which no job of signalbox is. */
const isOfKubernetes = (apiVersion: string, kind: string) =>
  apiGroupOf(apiVersion) === 'batch' && kind === 'Job';

const KINDS = () => [...new Set(FRAMEWORKS.map(({ kind }) => kind))];

const oneOf = (names: readonly string[]) => (names.length === 1 ? names[0]! : `one of ${names.join(', ')}`);
