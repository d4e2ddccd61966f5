import { isAlreadyExists, isForbidden } from '../../cluster/errors.ts';
import { CONFIG_MAPS, type KubeObject, type Resource } from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';
import type { Stage } from './stage.ts';

/** An admission policy of the cluster that lets nobody delete a pod. */
export interface Denial {
  /** What whoever tries is told. */
  readonly words: string;
  end(): Promise<void>;
}

const GROUP = 'admissionregistration.k8s.io/v1';

const resource = (kind: string, plural: string): Resource => ({
  apiVersion: GROUP,
  kind,
  plural,
  namespaced: false,
});

const POLICIES = resource('ValidatingAdmissionPolicy', 'validatingadmissionpolicies');
const BINDINGS = resource('ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings');

/** Resolves when the policy is in force: the API server has it from a cache. */
export async function denyDeletion(stage: Stage, pod: string): Promise<Denial> {
  const { cluster, namespace } = stage;
  const name = `${namespace}-${pod}`;
  const words = `${pod} is to stay`;
  const resources = ['pods', 'configmaps'];
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources };
  const isIt = `request.namespace == '${namespace}' && request.name in ['${pod}', '${probeFor(pod)}']`;
  await cluster.create(POLICIES, {
    apiVersion: GROUP,
    kind: POLICIES.kind,
    metadata: { name },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: { resourceRules: [rule] },
      matchConditions: [{ name: 'it', expression: isIt }],
      validations: [{ expression: 'false', message: words, reason: 'Forbidden' }],
    },
  } as KubeObject);
  await cluster.create(BINDINGS, {
    apiVersion: GROUP,
    kind: BINDINGS.kind,
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'] },
  } as KubeObject);
  await eventually('the policy is in force', () => isDenied(stage, pod));
  return {
    words,
    end: async () => {
      await cluster.delete(BINDINGS, undefined, name);
      await cluster.delete(POLICIES, undefined, name);
      await eventually('the policy is not in force', async () => !(await isDenied(stage, pod)));
    },
  };
}

const probeFor = (pod: string) => `probe-${pod}`;

/** Tried with something that nobody misses. */
async function isDenied({ cluster, namespace }: Stage, pod: string): Promise<boolean> {
  const name = probeFor(pod);
  try {
    await cluster.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name } });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  try {
    await cluster.delete(CONFIG_MAPS, namespace, name);
    return false;
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return true;
  }
}
