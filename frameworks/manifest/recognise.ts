import { apiGroupOf } from '../../contracts/kubernetes.ts';
import type { Fault } from '../../contracts/types.ts';
import { didYouMean, nearest } from '../../language/did-you-mean.ts';
import { asFields } from '../../language/fields.ts';
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
  if (isOfTrainer(apiVersion)) return [TRAINER_FAULT(apiVersion)];
  const versions = FRAMEWORKS.filter((one) => one.kind === kind).map((one) => one.apiVersion);
  if (versions.length > 0) {
    return [{ path: 'apiVersion', expected: oneOf(versions), got: describeValue(apiVersion) }];
  }
  const meant = typeof kind === 'string' ? nearest(kind, KINDS()) : undefined;
  const expected = `${oneOf(KINDS())}${meant ? ` (${didYouMean(meant)})` : ''}`;
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
  if (nearest(kind, KINDS()) !== undefined) return true;
  if (isOfTrainer(apiVersion) && kind === 'TrainJob') return true;
  const groups = FRAMEWORKS.map((one) => apiGroupOf(one.apiVersion));
  return groups.includes(apiGroupOf(apiVersion)) && /job$/i.test(kind);
}

/** Whether a newer version may know the kind of a manifest: it resembles none of this version. */
export function mayBeOfNewerKind(manifest: object): boolean {
  const { apiVersion, kind } = asFields(manifest);
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || isOfTrainer(apiVersion)) return false;
  return nearest(kind, KINDS()) === undefined;
}

/** Kubeflow Trainer v2, the successor of training-operator. */
const isOfTrainer = (apiVersion: unknown) =>
  typeof apiVersion === 'string' && apiGroupOf(apiVersion) === 'trainer.kubeflow.org';

const TRAINER_FAULT = (apiVersion: unknown): Fault => ({
  path: 'apiVersion',
  expected: `${oneOf([...new Set(FRAMEWORKS.map((one) => one.apiVersion))])} (a TrainJob of Kubeflow Trainer v2 has its pods in a TrainingRuntime of the cluster: write them into a PyTorchJob, MPIJob or JAXJob instead)`,
  got: describeValue(apiVersion),
});

const KINDS = () => [...new Set(FRAMEWORKS.map(({ kind }) => kind))];

const oneOf = (names: readonly string[]) => (names.length === 1 ? names[0]! : `one of ${names.join(', ')}`);
