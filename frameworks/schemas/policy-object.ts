import type { KubeObject } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import type { Definition } from './custom-resources.ts';

const API = 'admissionregistration.k8s.io/v1';

export interface PolicyObject extends KubeObject {
  readonly spec: Readonly<Record<string, unknown>>;
}

interface AboutPolicy {
  readonly name: string;
  readonly part: string;
  /** Of a ValidatingAdmissionPolicy; default: Deny. */
  readonly action?: 'Deny' | 'Warn';
}

/** Returns a policy with its binding. */
export function withBinding(
  kind: 'ValidatingAdmissionPolicy' | 'MutatingAdmissionPolicy',
  { name, part, action = 'Deny' }: AboutPolicy,
  spec: PolicyObject['spec'],
): readonly PolicyObject[] {
  const metadata = { name, labels: { [LABELS.admission]: part } };
  const actions = kind === 'ValidatingAdmissionPolicy' ? { validationActions: [action] } : {};
  return [
    { apiVersion: API, kind, metadata, spec },
    { apiVersion: API, kind: `${kind}Binding`, metadata, spec: { policyName: name, ...actions } },
  ];
}

export const matchOf = (definitions: readonly Definition[]) => ({
  resourceRules: definitions.map(({ spec }) => ({
    apiGroups: [spec.group],
    apiVersions: (spec.versions as readonly { readonly name: string }[]).map(({ name }) => name),
    operations: ['CREATE', 'UPDATE'],
    resources: [spec.names.plural],
  })),
});

export const SPEC_IS_NEW = 'request.operation == "CREATE" || object.spec != oldObject.spec';
export const ANNOTATIONS_ARE_NEW = 'object.metadata.?annotations != oldObject.metadata.?annotations';
/** Letting go of a resource, e.g. by taking off a finalizer, must always be possible. */
export const STAYS = { name: 'stays', expression: '!has(object.metadata.deletionTimestamp)' };
