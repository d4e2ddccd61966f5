import { devicesOfSpec } from '../../contracts/gpus.ts';
import { KUBEFLOW_LABELS } from '../../contracts/labels.ts';
import type { Plan, PlannedRole, Role } from '../../contracts/training-job.ts';
import type { Policy } from '../../contracts/types.ts';
import { ownValue } from '../../language/fields.ts';
import type { Draft, Framework, FrameworkPlan } from '../model/framework.ts';
import { mainContainerOf } from '../model/main-container.ts';
import { fenceOf } from './fence.ts';

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
    ...(framework.dialect.fields.runPolicy ? {} : { runPolicyPath: 'spec' as const }),
    fence: fenceOf(framework, draft),
    ...rules,
    roleSelector: showsSelector ? selectorOf(framework, draft) : undefined,
    ...(policy ? { policy } : {}),
  };
}

function plannedRole(
  { name, replicas, restartPolicy, template }: Role,
  rules: FrameworkPlan['roles'],
): PlannedRole {
  const devices = devicesOfSpec(template.spec);
  return {
    ...{ name, replicas, restartPolicy, ...ownValue(rules ?? {}, name) },
    ...(Object.keys(devices).length > 0 ? { devices } : {}),
  };
}

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
