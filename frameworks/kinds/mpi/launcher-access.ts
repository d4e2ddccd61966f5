import type { KubeObject } from '../../../contracts/kubernetes.ts';
import { findRole } from '../../../contracts/roles.ts';
import type { TrainingJob } from '../../../contracts/training-job.ts';
import { launcherNameOf } from './pod-name.ts';
import { workersOf } from './workers.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** Returns the RBAC objects that let the launcher run commands in its workers, and in no other pod. */
export function launcherAccess(job: TrainingJob): readonly KubeObject[] {
  const name = launcherNameOf(job.name);
  const labels = { app: job.name };
  const account = serviceAccountOf(job);
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account, labels } },
    { apiVersion: `${RBAC}/v1`, kind: 'Role', metadata: { name, labels }, rules: rulesFor(job) },
    {
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata: { name, labels },
      roleRef: { apiGroup: RBAC, kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name: account, namespace: job.namespace }],
    },
  ];
}

/** Returns the manifest's service account, or the job's own. */
export function serviceAccountOf({ name, roles }: TrainingJob): string {
  const { serviceAccountName } = findRole(roles, 'Launcher')!.template.spec;
  return serviceAccountName || launcherNameOf(name);
}

/** A rule without resourceNames covers every pod of the namespace, so a job without workers gets no exec rule. */
function rulesFor(job: TrainingJob) {
  const resourceNames = workersOf(job);
  const watch = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] };
  const exec = { apiGroups: [''], resources: ['pods/exec'], resourceNames, verbs: ['create'] };
  return resourceNames.length > 0 ? [watch, exec] : [watch];
}
