import { nearestGpu } from '../../contracts/gpus.ts';
import { ATTEMPT_VARIABLE, FOR_SIMULATED_NODES, isOwnKey, OWN_PREFIX } from '../../contracts/labels.ts';
import type { Role, TrainingJob } from '../../contracts/training-job.ts';
import { didYouMean } from '../../language/meant.ts';
import { celOfEachRole, celPlace, celRole, celSentence, celText } from '../model/cel.ts';
import { ANY_ROLE, type Framework, type RoleRules, rolePath } from '../model/framework.ts';
import { mainContainerOf } from '../model/main-container.ts';
import type { ManifestWarning } from '../model/manifest-warning.ts';

interface RoleWarning {
  in(role: Role, job: TrainingJob): readonly string[];
  cel?(role: RoleRules): string;
}

/** What each role of a valid manifest is warned of. */
export const roleWarnings = (
  framework: Framework,
): readonly ManifestWarning<{ readonly job: TrainingJob }>[] =>
  [
    otherContainer(framework),
    ...restartWarnings(framework),
    { in: (role: Role, job: TrainingJob) => overriddenVariables(framework, job, role) },
    ignoredVariable(framework),
    ownKeys(framework),
    { in: (role: Role) => misspeltResources(framework, role) },
  ].map(({ in: inRole, cel }: RoleWarning) => ({
    in: ({ job }) => job.roles.flatMap((role) => inRole(role, job)),
    ...(cel ? { cel: () => framework.roles.map((role) => celOfRole(role, cel)).join(' + ') } : {}),
  }));

const celOfRole = (role: RoleRules, cel: NonNullable<RoleWarning['cel']>) =>
  role.name === ANY_ROLE ? celOfEachRole((name) => cel({ ...role, name })) : `(${cel(role)})`;

function otherContainer(framework: Framework): RoleWarning {
  const { container, references } = framework;
  // The containers of a runtime have the names that its platform gave them; the kind checks those that it needs.
  if (!container || references) return { in: () => [] };
  const sentence = (role: string, main: string) =>
    `${rolePath(framework, role)}: no container is named ${container}; the first one, ${main}, is used instead`;
  return {
    in: ({ name, template }) => {
      const main = mainContainerOf(template, framework);
      return main.name === container ? [] : [sentence(name, main.name)];
    },
    cel: ({ name }) => {
      const { containers } = celRole(name);
      const isOther = `size(${containers}) > 0 && !${containers}.exists(c, c.?name.orValue("") == ${celText(container)})`;
      return `${isOther} ? [${celSentence(sentence(name, celPlace(`${containers}[0].name`)))}] : []`;
    },
  };
}

/** Of kinds whose roles have a restart policy of their own, also as expressions. */
function restartWarnings(framework: Framework): readonly RoleWarning[] {
  const ofRole = framework.dialect.fields['*']?.includes('restartPolicy');
  const neverEnds = (role: string) =>
    `${rolePath(framework, role)}.${ofRole ? '' : 'template.spec.'}restartPolicy: Always also restarts containers that succeeded, so the pods never complete; did you mean OnFailure?`;
  const overridden = (role: string, ofPod: string, taken: string) =>
    `${rolePath(framework, role)}.template.spec.restartPolicy: ${ofPod} is overridden by ${ofRole ? "the role's " : ''}${taken}`;
  const always: RoleWarning = {
    in: ({ name, restartPolicy }) => (restartPolicy === 'Always' ? [neverEnds(name)] : []),
  };
  const other: RoleWarning = {
    in: ({ name, restartPolicy, template: { spec } }) =>
      spec.restartPolicy && spec.restartPolicy !== restartPolicy
        ? [overridden(name, spec.restartPolicy, restartPolicy)]
        : [],
  };
  if (!ofRole) return [always, other];
  const inPod = (name: string) => `${celRole(name).pod}.?restartPolicy.orValue("")`;
  const taken = ({ name, defaultRestartPolicy }: RoleRules) =>
    `${celRole(name).fields}.?restartPolicy.orValue(${celText(defaultRestartPolicy)})`;
  return [
    {
      ...always,
      cel: (role) =>
        `size(${celRole(role.name).fields}) > 0 && ${taken(role)} == "Always" ? [${celText(neverEnds(role.name))}] : []`,
    },
    {
      ...other,
      cel: (role) => {
        const said = celSentence(overridden(role.name, celPlace(inPod(role.name)), celPlace(taken(role))));
        const ofPod = inPod(role.name);
        return `${ofPod} != "" && ${ofPod} != ${taken(role)} ? [${said}] : []`;
      },
    },
  ];
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

/** Kubernetes takes any name with a prefix: pods wait for a node that has it, which never comes. */
function misspeltResources(framework: Framework, { name: role, template }: Role): string[] {
  const { containers, initContainers = [] } = template.spec;
  return Object.entries({ containers, initContainers }).flatMap(([field, list]) =>
    list.flatMap(({ resources = {} }, index) => {
      const names = new Set([resources.requests, resources.limits].flatMap((of) => Object.keys(of ?? {})));
      return [...names].flatMap((resource) => {
        const near = nearestGpu(resource);
        const path = `${rolePath(framework, role)}.template.spec.${field}[${index}].resources`;
        return near ? [`${path}: ${resource} is no accelerator that is known; ${didYouMean(near)}`] : [];
      });
    }),
  );
}

/** The attempt distinguishes pods of attempts, so only signalbox may set it. */
function ignoredVariable(framework: Framework): RoleWarning {
  const sentence = (role: string, container: string) =>
    `${rolePath(framework, role)}: container ${container} sets ${ATTEMPT_VARIABLE} itself, which is ignored: signalbox sets it`;
  return {
    in: ({ name, template }) =>
      template.spec.containers
        .filter(({ env = [] }) => env.some((variable) => variable.name === ATTEMPT_VARIABLE))
        .map((container) => sentence(name, container.name)),
    cel: ({ name }) =>
      `${celRole(name).containers}.filter(c, c.?env.orValue([]).exists(e, e.?name.orValue("") == ${celText(ATTEMPT_VARIABLE)})).map(c, ${celSentence(sentence(name, celPlace('c.name')))})`,
  };
}

/** A template that was copied from a pod of signalbox has the labels of that pod. */
function ownKeys(framework: Framework): RoleWarning {
  const sentence = (role: string, field: string, key: string) =>
    `${rolePath(framework, role)}.template.metadata.${field}[${key}]: ignored, because signalbox itself sets what begins with ${OWN_PREFIX}`;
  const fields = ['labels', 'annotations'] as const;
  return {
    in: ({ name, template: { metadata } }) =>
      fields.flatMap((field) =>
        Object.keys(metadata?.[field] ?? {})
          .filter((key) => isOwnKey(key))
          .map((key) => sentence(name, field, key)),
      ),
    cel: ({ name }) => {
      const isOwn = `key.startsWith(${celText(OWN_PREFIX)}) && !key.startsWith(${celText(FOR_SIMULATED_NODES)})`;
      const of = (field: string) => `${celRole(name).template}.?metadata.?${field}.orValue({})`;
      return fields
        .map(
          (field) =>
            `${of(field)}.filter(key, ${isOwn}).map(key, ${celSentence(sentence(name, field, celPlace('key')))})`,
        )
        .join(' + ');
    },
  };
}
