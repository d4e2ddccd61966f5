import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../contracts/kubernetes.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Of all that deploy/kubernetes/cluster installs. */
export const NAMESPACE = 'signalbox-system';

interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

export interface Rules extends KubeObject {
  readonly rules: readonly PolicyRule[];
}

export interface Settings extends KubeObject {
  readonly data: Readonly<Record<string, string>>;
}

export const readYaml = (path: string): unknown =>
  parse(readFileSync(join(ROOT, path), 'utf8'), { merge: true });

/** Every object of deploy/kubernetes/cluster. */
export const clusterManifests = () => manifestsIn('deploy/kubernetes/cluster');

/** What jobs as custom resources need besides. */
export const bridgeManifests = () => manifestsIn('deploy/kubernetes/bridge');

/** What MPIJobs need besides. */
export const mpiManifests = () => manifestsIn('deploy/kubernetes/mpi');

/** What the worker needs besides to tell others why jobs wait. */
export const questionManifests = () => manifestsIn('deploy/kubernetes/questions');

/** Every object of a folder, in the order in which its kustomization names files and other folders. */
function manifestsIn(path: string): readonly KubeObject[] {
  const dir = join(ROOT, path);
  const { resources } = readYaml(`${path}/kustomization.yaml`) as { resources: string[] };
  const unnamed = readdirSync(dir).filter((file) => ![...resources, 'kustomization.yaml'].includes(file));
  if (unnamed.length > 0) throw new Error(`the kustomization names none of ${unnamed.join(', ')}`);
  return resources.flatMap((file) =>
    file.endsWith('.yaml') ? objectsIn(join(dir, file)) : manifestsIn(join(path, file)),
  );
}

const objectsIn = (file: string): KubeObject[] =>
  parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as KubeObject);

export function findManifest<T extends KubeObject>(kind: string, name: string): T {
  const all = [...clusterManifests(), ...mpiManifests()];
  const found = all.find((object) => object.kind === kind && object.metadata.name === name);
  if (!found) throw new Error(`deploy/kubernetes: expected a ${kind} ${name}`);
  return found as T;
}

/** Where the API server takes an object of deploy/kubernetes. */
export const collectionOf = ({ kind }: KubeObject): string => COLLECTIONS[kind]!;

const COLLECTIONS: Readonly<Record<string, string>> = {
  Namespace: '/api/v1/namespaces',
  ServiceAccount: `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`,
  ConfigMap: `/api/v1/namespaces/${NAMESPACE}/configmaps`,
  PersistentVolumeClaim: `/api/v1/namespaces/${NAMESPACE}/persistentvolumeclaims`,
  ClusterRole: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  ClusterRoleBinding: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  Role: `/apis/rbac.authorization.k8s.io/v1/namespaces/${NAMESPACE}/roles`,
  RoleBinding: `/apis/rbac.authorization.k8s.io/v1/namespaces/${NAMESPACE}/rolebindings`,
  Deployment: `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`,
  PodDisruptionBudget: `/apis/policy/v1/namespaces/${NAMESPACE}/poddisruptionbudgets`,
};
