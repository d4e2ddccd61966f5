import type { TrainingJob } from '../contracts/training-job.ts';
import type { Framework } from './framework.ts';
import { mainContainerOf } from './main-container.ts';
import { runPolicy, schedulingPolicy } from './manifest-schema.ts';

/** What was accepted but may not do what its writer expects. */
export function warningsOf(
  framework: Framework,
  manifest: Readonly<Record<string, unknown>>,
  job: TrainingJob,
): string[] {
  const spec = manifest.spec as Record<string, Record<string, unknown>>;
  return [
    ...unknownFields('spec', spec, ['runPolicy', framework.replicaSpecs, ...framework.optionNames]),
    ...unknownFields('spec.runPolicy', spec.runPolicy, Object.keys(runPolicy.shape)),
    ...unknownFields(
      'spec.runPolicy.schedulingPolicy',
      spec.runPolicy?.schedulingPolicy,
      Object.keys(schedulingPolicy.shape),
    ),
    ...notYet(spec),
    ...job.roles.flatMap((role) => [
      ...containerWarnings(framework, role),
      ...overriddenVariables(framework, job, role),
    ]),
  ];
}

function unknownFields(path: string, value: unknown, known: readonly string[]): string[] {
  return Object.keys((value as object | undefined) ?? {})
    .filter((field) => !known.includes(field))
    .map((field) => `${path}.${field}: unknown field, ignored`);
}

function notYet(spec: Readonly<Record<string, Record<string, unknown>>>): string[] {
  const warnings: string[] = [];
  if (spec.runPolicy?.ttlSecondsAfterFinished !== undefined) {
    warnings.push(
      'spec.runPolicy.ttlSecondsAfterFinished: not acted on yet; objects stay as cleanPodPolicy says',
    );
  }
  if (spec.elasticPolicy?.metrics !== undefined) {
    warnings.push(
      'spec.elasticPolicy.metrics: not acted on; there is no object that an autoscaler could scale',
    );
  }
  return warnings;
}

function containerWarnings(framework: Framework, { name, template }: TrainingJob['roles'][number]): string[] {
  const main = mainContainerOf(template, framework);
  if (main.name === framework.container) return [];
  return [
    `spec.${framework.replicaSpecs}.${name}: no container is named ${framework.container}; ${main.name}, the first, is taken for it`,
  ];
}

/** A variable that the manifest sets wins over the injected one, whatever that breaks: so it is said. */
function overriddenVariables(
  framework: Framework,
  job: TrainingJob,
  role: TrainingJob['roles'][number],
): string[] {
  const injected = new Map(framework.environment(job, role, 0).map(({ name, value }) => [name, value]));
  return role.template.spec.containers.flatMap((container) =>
    (container.env ?? [])
      .filter(({ name, value }) => injected.has(name) && injected.get(name) !== value)
      .map(
        ({ name }) =>
          `spec.${framework.replicaSpecs}.${role.name}: container ${container.name} sets ${name} itself, in place of ${injected.get(name)}`,
      ),
  );
}
