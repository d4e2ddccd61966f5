import { asFields, valueAt } from '../../../language/fields.ts';
import type { KindReferences } from '../../model/kind-references.ts';
import { joinedTrainJob, pathBeforeJoin, ROLES_FIELD } from './join.ts';
import { SHIPPED_RUNTIMES, shippedRuntime } from './shipped-runtimes.ts';
import { runtimeSpec } from './spec/runtime.ts';

const API_VERSION = 'trainer.kubeflow.org/v1alpha1';
const CLUSTER_KIND = 'ClusterTrainingRuntime';

/** The runtime of a TrainJob. */
export const RUNTIMES: KindReferences = {
  fields: ['runtime', ROLES_FIELD],
  resources: [
    { apiVersion: API_VERSION, kind: CLUSTER_KIND, plural: 'clustertrainingruntimes', namespaced: false },
    { apiVersion: API_VERSION, kind: 'TrainingRuntime', plural: 'trainingruntimes', namespaced: true },
  ],
  spec: runtimeSpec,
  named: (manifest) => {
    const { name, kind = CLUSTER_KIND } = asFields(valueAt(manifest, 'spec.runtimeRef'));
    if (typeof name !== 'string' || !RUNTIMES.resources.some((one) => one.kind === kind)) return [];
    const { namespace } = asFields(asFields(manifest).metadata);
    const isOfNamespace = kind !== CLUSTER_KIND && typeof namespace === 'string';
    const path = 'spec.runtimeRef.name';
    return [
      { apiVersion: API_VERSION, kind: String(kind), name, path, ...(isOfNamespace ? { namespace } : {}) },
    ];
  },
  shipped: ({ kind, name }) => (kind === CLUSTER_KIND ? shippedRuntime(name) : undefined),
  shippedNames: ({ kind }) => (kind === CLUSTER_KIND ? Object.keys(SHIPPED_RUNTIMES) : []),
  joined: (manifest, [runtime]) => joinedTrainJob(manifest, runtime?.spec),
  pathOf: pathBeforeJoin,
};
