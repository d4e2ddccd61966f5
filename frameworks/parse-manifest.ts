import { z } from 'zod';
import type { Fault } from '../contracts/faults.ts';
import { ANNOTATIONS, KUBEFLOW_LABELS } from '../contracts/labels.ts';
import {
  GANG_CHOICES,
  type GangChoice,
  type GangRequest,
  type Plan,
  type Role,
  type RunPolicy,
  type TrainingJob,
} from '../contracts/training-job.ts';
import { describe, distinct, faultsOf } from './faults.ts';
import { type Draft, type Framework, totalReplicas } from './framework.ts';
import { metadata, type RunPolicyFields, runPolicy } from './manifest-schema.ts';
import { FRAMEWORKS, findFramework } from './registry.ts';
import { parseRoles } from './roles.ts';
import { warningsOf } from './warnings.ts';
import { withoutNulls } from './without-nulls.ts';

export type ParsedManifest = { readonly job: TrainingJob } | { readonly faults: readonly Fault[] };

/**
 * A manifest of any supported kind as a job: validated, with defaults filled in. All faults are told at once.
 *
 * @example
 * const parsed = parseManifest(manifest, { namespace: 'ml' });
 * if ('faults' in parsed) console.error(parsed.faults.map(formatFault).join('\n'));
 */
export function parseManifest(given: unknown, defaults: { readonly namespace: string }): ParsedManifest {
  const manifest = withoutNulls(given);
  const framework = frameworkFor(manifest);
  if (Array.isArray(framework)) return { faults: framework };
  const read = readDraft(framework, manifest, defaults);
  if ('faults' in read) return read;
  const { draft, annotations, run } = read;
  const faults = [...checkRunPolicy(run), ...checkGang(annotations), ...framework.check(draft)];
  if (faults.length) return { faults };

  const completed = { ...draft, options: framework.completeOptions?.(draft) ?? draft.options };
  const base = {
    ...completed,
    apiVersion: framework.apiVersion,
    kind: framework.kind,
    annotations,
    runPolicy: runPolicyOf(run),
    gang: gangOf(framework, completed, { annotations, run }),
  };
  const job = { ...base, plan: planOf(framework, base), warnings: [] };
  return { job: { ...job, warnings: warningsOf(framework, manifest as Record<string, unknown>, job) } };
}

interface Read {
  readonly draft: Draft;
  readonly annotations: Readonly<Record<string, string>>;
  readonly run: RunPolicyFields;
}

/** The fields, each valid by itself; or all that are not. */
function readDraft(
  framework: Framework,
  manifest: unknown,
  defaults: { readonly namespace: string },
): Read | { readonly faults: readonly Fault[] } {
  const { spec } = manifest as { readonly spec?: unknown };
  const shape = z.looseObject({ metadata, spec: specShape(framework) }).safeParse(manifest);
  const options = framework.options.safeParse(spec);
  const rolesFaults: Fault[] = [];
  const roles = parseRoles(framework, manifest, rolesFaults);
  if (!shape.success || !options.success || rolesFaults.length) {
    const shapeFaults = shape.success ? [] : faultsOf(shape.error, manifest);
    const optionFaults = options.success ? [] : faultsOf(options.error, spec, 'spec');
    return { faults: distinct([...shapeFaults, ...optionFaults, ...rolesFaults]) };
  }
  const { name, namespace = defaults.namespace, annotations = {} } = shape.data.metadata;
  const run = (shape.data.spec.runPolicy ?? {}) as RunPolicyFields;
  return { draft: { name, namespace, roles, options: options.data }, annotations, run };
}

function frameworkFor(manifest: unknown): Framework | Fault[] {
  if (manifest === null || typeof manifest !== 'object' || Array.isArray(manifest)) {
    return [{ path: 'manifest', expected: 'one object', got: describe(manifest) }];
  }
  const { apiVersion, kind } = manifest as Record<string, unknown>;
  const framework = findFramework(apiVersion, kind);
  if (framework) return framework;
  const known = FRAMEWORKS.map((one) => `${one.apiVersion} ${one.kind}`).join(', ');
  return [
    {
      path: 'apiVersion, kind',
      expected: `one of ${known}`,
      got: `${describe(apiVersion)}, ${describe(kind)}`,
    },
  ];
}

function specShape(framework: Framework) {
  return z.looseObject({
    runPolicy: runPolicy.optional(),
    [framework.replicaSpecs]: z.record(z.string(), z.unknown()),
  });
}

/** What other controllers do with these fields, this one would not do: better refused than ignored. */
function checkRunPolicy({ suspend, managedBy }: RunPolicyFields): Fault[] {
  const faults: Fault[] = [];
  if (suspend) {
    faults.push({
      path: 'spec.runPolicy.suspend',
      expected: 'false: suspended jobs are not supported yet',
      got: 'true',
    });
  }
  if (managedBy !== undefined && managedBy !== 'kubeflow.org/training-operator') {
    faults.push({
      path: 'spec.runPolicy.managedBy',
      expected: 'kubeflow.org/training-operator, or nothing: the job belongs to another controller',
      got: describe(managedBy),
    });
  }
  return faults;
}

function checkGang(annotations: Readonly<Record<string, string>>): Fault[] {
  const choice = annotations[ANNOTATIONS.gang];
  if (choice === undefined || (GANG_CHOICES as readonly string[]).includes(choice)) return [];
  return [
    {
      path: `metadata.annotations[${ANNOTATIONS.gang}]`,
      expected: `one of ${GANG_CHOICES.join(', ')}`,
      got: describe(choice),
    },
  ];
}

const runPolicyOf = (run: RunPolicyFields): RunPolicy => ({
  cleanPodPolicy: run.cleanPodPolicy ?? 'None',
  backoffLimit: run.backoffLimit,
  activeDeadlineSeconds: run.activeDeadlineSeconds,
});

function gangOf(
  framework: Framework,
  draft: Draft,
  { annotations, run }: { annotations: Readonly<Record<string, string>>; run: RunPolicyFields },
): GangRequest {
  return {
    scheduler: (annotations[ANNOTATIONS.gang] as GangChoice | undefined) ?? 'auto',
    minMember:
      run.schedulingPolicy?.minAvailable ?? framework.minMember?.(draft) ?? totalReplicas(draft.roles),
    priorityClass: run.schedulingPolicy?.priorityClass,
  };
}

function planOf(framework: Framework, job: Omit<TrainingJob, 'plan' | 'warnings'>): Plan {
  const selector = {
    [KUBEFLOW_LABELS.jobName]: job.name,
    [KUBEFLOW_LABELS.operatorName]: framework.operatorName,
    [KUBEFLOW_LABELS.replicaType]: '%s',
  };
  return {
    kind: job.kind,
    name: job.name,
    namespace: job.namespace,
    roles: job.roles.map(({ name, replicas, restartPolicy }: Role) => ({ name, replicas, restartPolicy })),
    replicaSpecs: framework.replicaSpecs,
    runPolicy: job.runPolicy,
    successRoles: framework.successRoles(job.roles),
    messages: framework.messages(job),
    roleSelector: Object.entries(selector)
      .map(([label, value]) => `${label}=${value}`)
      .join(','),
  };
}
