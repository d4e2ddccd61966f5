import { KUBEFLOW_LABELS } from '../contracts/labels.ts';
import type { Plan, PlannedRole, Role } from '../contracts/training-job.ts';
import type { Draft, Framework, FrameworkPlan } from './framework.ts';

/** What the machine needs to know of a job. */
export function planOf(framework: Framework, draft: Draft): Plan {
  const { roles, showsSelector, ...rules } = framework.plan(draft);
  return {
    kind: framework.kind,
    name: draft.name,
    namespace: draft.namespace,
    roles: draft.roles.map((role) => plannedRole(role, roles)),
    replicaSpecs: framework.replicaSpecs,
    runPolicy: draft.runPolicy,
    ...rules,
    roleSelector: showsSelector ? selectorOf(framework, draft) : undefined,
  };
}

const plannedRole = (
  { name, replicas, restartPolicy }: Role,
  rules: FrameworkPlan['roles'],
): PlannedRole => ({ name, replicas, restartPolicy, ...rules?.[name] });

function selectorOf({ operatorName }: Framework, { name }: Draft): string {
  const labels = {
    [KUBEFLOW_LABELS.jobName]: name,
    [KUBEFLOW_LABELS.operatorName]: operatorName,
    [KUBEFLOW_LABELS.replicaType]: '%s',
  };
  return Object.entries(labels)
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
}
