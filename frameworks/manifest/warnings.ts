import { ATTEMPT_VARIABLE, isOwnKey } from '../../contracts/labels.ts';
import { totalReplicas } from '../../contracts/roles.ts';
import type { Role, TrainingJob } from '../../contracts/training-job.ts';
import { valueAt } from '../../language/fields.ts';
import { describeValue } from '../fields/faults.ts';
import { type Framework, rolePath } from '../model/framework.ts';
import { mainContainerOf } from '../model/main-container.ts';
import { policyWarnings } from '../policy/warnings.ts';
import { queueWarnings } from './queue-labels.ts';
import { templateWarnings } from './template-variables.ts';

/** Returns warnings about known fields that may not do what their author expects. */
export function warningsOf(
  framework: Framework,
  manifest: Readonly<Record<string, unknown>>,
  job: TrainingJob,
): string[] {
  const spec = manifest.spec as Fields;
  return [
    ...withoutEffect(framework, spec),
    ...queueWarnings(manifest, job.roles),
    ...templateWarnings(manifest),
    ...gangWarnings(framework, job),
    ...(job.plan.policy ? policyWarnings(job.plan.policy, job.plan.roles) : []),
    ...(framework.warnings?.({ ...job, runPolicy: job.plan.runPolicy }) ?? []),
    ...job.roles.flatMap((role) => [
      ...containerWarnings(framework, role),
      ...restartWarnings(framework, role),
      ...overriddenVariables(framework, job, role),
      ...ignoredVariables(framework, role),
      ...ownKeys(framework, role),
    ]),
  ];
}

type Fields = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/** Warns about valid fields that have no effect here. */
const withoutEffect = ({ dialect }: Framework, spec: Fields): string[] =>
  Object.entries(dialect.withoutEffect)
    .filter(([path]) => valueAt(spec, path) !== undefined)
    .map(([path, why]) => `spec.${path}: ${why}`);

/** A gang larger than the number of pods never becomes complete. */
function gangWarnings({ dialect }: Framework, { gang, roles }: TrainingJob): string[] {
  const members = totalReplicas(roles);
  if (gang.minMember <= members) return [];
  return [
    `${dialect.schedulingPolicyPath}.minAvailable: ${gang.minMember} of ${members} pods can never be placed together; a gang scheduler will wait forever`,
  ];
}

function containerWarnings(framework: Framework, { name, template }: Role): string[] {
  const main = mainContainerOf(template, framework);
  if (!framework.container || main.name === framework.container) return [];
  return [
    `${rolePath(framework, name)}: no container is named ${framework.container}; the first one, ${main.name}, is used instead`,
  ];
}

/** A template that was copied from a pod of signalbox has the labels of that pod. */
function ownKeys(framework: Framework, { name, template }: Role): string[] {
  return (['labels', 'annotations'] as const).flatMap((field) =>
    Object.entries(template.metadata?.[field] ?? {})
      .filter(([key]) => isOwnKey(key))
      .map(
        ([key, value]) =>
          `${rolePath(framework, name)}.template.metadata.${field}[${key}]: expected no key of signalbox.dev, because signalbox sets these itself, got ${describeValue(value)}; ignored`,
      ),
  );
}

function restartWarnings(framework: Framework, { name, restartPolicy, template }: Role): string[] {
  const path = rolePath(framework, name);
  const ofPod = template.spec.restartPolicy;
  const ofRole = framework.dialect.fields['*']?.includes('restartPolicy');
  const warnings: string[] = [];
  if (restartPolicy === 'Always') {
    warnings.push(
      `${path}.${ofRole ? '' : 'template.spec.'}restartPolicy: Always also restarts containers that succeeded, so the pods never complete; did you mean OnFailure?`,
    );
  }
  if (ofPod && ofPod !== restartPolicy) {
    warnings.push(
      `${path}.template.spec.restartPolicy: ${ofPod} is overridden by ${ofRole ? "the role's " : ''}${restartPolicy}`,
    );
  }
  return warnings;
}

/** A variable in the manifest takes precedence over the injected one even if that breaks the job, so warn about it. */
function overriddenVariables(framework: Framework, job: TrainingJob, role: Role): string[] {
  // Compare with the last replica: a fixed number may match the first replica by accident.
  const ofKind = framework.environment(job, { role, index: role.replicas - 1 });
  const injected = new Map(ofKind.map(({ name, value }) => [name, value]));
  const { containers } = role.template.spec;
  const given = framework.environmentOf === 'main' ? [mainContainerOf(role.template, framework)] : containers;
  return given.flatMap((container) =>
    (container.env ?? [])
      .filter(({ name, value }) => injected.has(name) && injected.get(name) !== value)
      .map(
        ({ name }) =>
          `${rolePath(framework, role.name)}: container ${container.name} sets ${name} itself, which overrides signalbox’s value`,
      ),
  );
}

/** The attempt distinguishes pods of attempts, so only signalbox may set it. */
const ignoredVariables = (framework: Framework, { name: role, template }: Role): string[] =>
  template.spec.containers
    .filter(({ env = [] }) => env.some(({ name }) => name === ATTEMPT_VARIABLE))
    .map(
      ({ name }) =>
        `${rolePath(framework, role)}: container ${name} sets ${ATTEMPT_VARIABLE} itself, which is ignored: signalbox sets it`,
    );
