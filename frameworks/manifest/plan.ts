import { KUBEFLOW_LABELS } from '../../contracts/labels.ts';
import type { Policy } from '../../contracts/policy.ts';
import type { Plan, PlannedRole, Role } from '../../contracts/training-job.ts';
import type { Draft, Framework, FrameworkPlan } from '../model/framework.ts';
import { mainContainerOf } from '../model/main-container.ts';

/** Returns the plan: the part of a job that the machine reads. */
export function planOf(framework: Framework, draft: Draft, policy?: Policy): Plan {
  const { roles, showsSelector, ...rules } = framework.plan(draft);
  return {
    kind: framework.kind,
    name: draft.name,
    namespace: draft.namespace,
    roles: draft.roles.map((role) => ({
      ...plannedRole(role, roles),
      ...(policy && limitsMemory(framework, role) ? { limitsMemory: true } : {}),
    })),
    replicaSpecs: framework.replicaSpecs,
    runPolicy: draft.runPolicy,
    ...rules,
    roleSelector: showsSelector ? selectorOf(framework, draft) : undefined,
    ...(policy ? { policy } : {}),
  };
}

const plannedRole = (
  { name, replicas, restartPolicy }: Role,
  rules: FrameworkPlan['roles'],
): PlannedRole => ({ name, replicas, restartPolicy, ...rules?.[name] });

function limitsMemory(framework: Framework, { template }: Role): boolean {
  return mainContainerOf(template, framework).resources?.limits?.memory !== undefined;
}

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
