import { describe, expect, it } from '@jest/globals';
import { formatFault } from '../../frameworks/fields/faults.ts';
import { FRAMEWORKS } from '../../frameworks/kinds/registry.ts';
import { parseManifest } from '../../frameworks/manifest/parse-manifest.ts';
import { aRole } from './manifests.ts';

/** Of kinds that have the field, with the role that none of them can do without. */
const kinds = FRAMEWORKS.filter(({ dialect }) => dialect.fields.runPolicy?.includes('managedBy'));

function faultsOf({ apiVersion, kind, replicaSpecs, roles }: (typeof kinds)[number], managedBy: string) {
  const required = roles.filter((role) => role.required || role.name === 'Worker');
  const specs = Object.fromEntries(required.map(({ name }) => [name, aRole({ replicas: 1 })]));
  const spec = { [replicaSpecs]: specs, runPolicy: { managedBy } };
  const parsed = parseManifest({ apiVersion, kind, metadata: { name: 'job' }, spec }, { namespace: 'ml' });
  return 'faults' in parsed ? parsed.faults.map(formatFault) : [];
}

const OPERATORS: Readonly<Record<string, string>> = {
  'kubeflow.org/v1': 'kubeflow.org/training-operator',
  'kubeflow.org/v2beta1': 'kubeflow.org/mpi-operator',
};

describe('a job that belongs to another controller', () => {
  it('may be of any kind of kubeflow.org', () => {
    expect(kinds.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
      'kubeflow.org/v1 PyTorchJob',
      'kubeflow.org/v1 TFJob',
      'kubeflow.org/v1 XGBoostJob',
      'kubeflow.org/v1 PaddleJob',
      'kubeflow.org/v1 JAXJob',
      'kubeflow.org/v1 MPIJob',
      'kubeflow.org/v2beta1 MPIJob',
    ]);
  });

  it.each(kinds)('is refused with the name of the controller: $apiVersion $kind', (kind) => {
    const operator = OPERATORS[kind.apiVersion]!;
    expect(faultsOf(kind, 'kueue.x-k8s.io/multikueue')).toEqual([
      `spec.runPolicy.managedBy: expected ${operator}, signalbox.dev/bridge, or no value: another controller manages the job, got "kueue.x-k8s.io/multikueue"`,
    ]);
  });

  it.each(kinds)(
    'is accepted if it names the operator that signalbox replaces: $apiVersion $kind',
    (kind) => {
      expect(faultsOf(kind, OPERATORS[kind.apiVersion]!)).toEqual([]);
    },
  );
});
