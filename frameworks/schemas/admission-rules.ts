import { ANNOTATIONS, podNameOf } from '../../contracts/labels.ts';
import { roleKey } from '../../contracts/roles.ts';
import { READ_ANNOTATIONS } from '../../contracts/written-manifest.ts';
import { KEPT, KEPT_BY_PODS } from '../changes/changes-between.ts';
import { FOLLOWED, GROUP } from '../changes/fixed-differences.ts';
import { MULTI_KUEUE, OWN_MANAGER } from '../dialects/kubeflow-dialect.ts';
import { JOB_NAME } from '../fields/manifest-schema.ts';
import { FRAMEWORKS } from '../kinds/registry.ts';
import { LONGEST_NAME, rangeOf } from '../manifest/roles.ts';
import { celList, celText } from '../model/cel.ts';
import { type Framework, type RoleRules, rolePath } from '../model/framework.ts';

/**
 * The parser's rules, as far as CEL can say them: each is an expression for a list of faults, in the words of the parser. The API
 * server has compared an object with its definition before, so fields have their types, but for those of templates.
 */

const faultUnless = (holds: string, path: string, expected: string) =>
  `(${holds} ? [] : [${celText(`${path}: expected ${expected}`)}])`;

/** A fault for each role of which `fails` holds; `k` is the role's name as it is written. */
const faultOfEach = (
  { replicaSpecs }: Framework,
  { of = 'variables.keys', fails, field, expected }: RoleFault,
) => {
  const before = celText(`${rolePath({ replicaSpecs })}.`);
  return `${of}.filter(k, ${fails}).map(k, ${before} + k + ${celText(`${field}: expected ${expected}`)})`;
};

interface RoleFault {
  readonly of?: string;
  readonly fails: string;
  /** Below the role, with its dot. */
  readonly field: string;
  readonly expected: string;
}

export const isRole = ({ name }: RoleRules, key = 'k') => `${key}.lowerAscii() == ${celText(roleKey(name))}`;
const named = (role: RoleRules, keys = 'variables.keys') => `${keys}.filter(k, ${isRole(role)})`;
const replicasOf = ({ defaultReplicas = 1 }: RoleRules) =>
  `variables.roles[k].?replicas.orValue(${defaultReplicas})`;

/** What other expressions refer to, in this order. */
export function variablesOf(framework: Framework): readonly Variable[] {
  return [
    { name: 'isEdit', expression: 'request.operation == "UPDATE"' },
    // A job that is not started yet, or has ended, may be edited at will.
    { name: 'isLive', expression: `${IS_LIVE} && !(${IS_BEHIND})` },
    { name: 'keepsPods', expression: `variables.isLive && !(${IS_SUSPENDED})` },
    ...roleVariables(framework),
    { name: 'oldRoles', expression: `variables.isEdit ? ${rolesIn(framework, 'oldObject')} : {}` },
    { name: 'oldKeys', expression: keysOf(framework, 'variables.oldRoles') },
    {
      name: 'withPods',
      expression: 'variables.keys.filter(k, type(variables.roles[k].?template.?spec.orValue(null)) == map)',
    },
  ];
}

/** The roles of a resource by the names that it writes, and these. */
export const roleVariables = (framework: Framework): readonly Variable[] => [
  { name: 'roles', expression: rolesIn(framework, 'object') },
  { name: 'keys', expression: keysOf(framework, 'variables.roles') },
];

/** The roles of a resource of any kind; where they are fields of spec itself, the other fields beside them. */
export const rolesOfAny = (object: string): string =>
  ofField((field) => `${object}.spec${field && `.${field}`}`, object);

/** Their path, with the dot behind it. */
export const pathOfRoles = ofField((field) => celText(`${rolePath({ replicaSpecs: field })}.`), 'object');

function ofField(told: (replicaSpecs: string) => string, object: string): string {
  const fields = [...new Set(FRAMEWORKS.map(({ replicaSpecs }) => replicaSpecs))].filter(Boolean);
  const cases = fields.map((field) => `has(${object}.spec.${field}) ? ${told(field)} : `);
  return `${cases.join('')}${told('')}`;
}

export interface Variable {
  readonly name: string;
  readonly expression: string;
}

const rolesIn = ({ replicaSpecs }: Framework, object: string) =>
  replicaSpecs ? `${object}.spec.?${replicaSpecs}.orValue({})` : `${object}.spec`;

/** Where roles are fields of spec itself, there are others beside them. */
const keysOf = ({ replicaSpecs, roles }: Framework, map: string) =>
  replicaSpecs
    ? `${map}.map(k, k)`
    : `${map}.filter(k, k.lowerAscii() in ${celList(roles.map(({ name }) => roleKey(name)))})`;

const IS_TRUE = (types: readonly string[]) =>
  `oldObject.status.?conditions.orValue([]).exists(c, c.type in ${celList(types)} && c.status == "True")`;
const IS_LIVE = `variables.isEdit && has(oldObject.status) && (oldObject.status.?runId.hasValue() || ${IS_TRUE(['Running', 'Restarting'])}) && !${IS_TRUE(['Succeeded', 'Failed'])}`;
/** The job does not follow what its resource says: only the bridge knows whether it can follow the next edit, e.g. the way back. */
const IS_BEHIND = [
  'oldObject.status.?appliedGeneration.orValue(oldObject.metadata.generation) < oldObject.metadata.generation',
  // No generation counts annotations.
  '!oldObject.status.?appliedAnnotations.orValue(true)',
].join(' || ');
const IS_SUSPENDED = [
  ...['object', 'oldObject'].map((one) => `${one}.spec.?runPolicy.?suspend.orValue(false)`),
  'oldObject.status.?phase.orValue("") == "Suspended"',
].join(' || ');

/** Faults of a manifest, by any writer. */
export function manifestRules(framework: Framework): readonly string[] {
  return [
    faultUnless(
      `object.metadata.name.matches(${celText(JOB_NAME.pattern.source)}) && size(object.metadata.name) <= ${LONGEST_NAME}`,
      'metadata.name',
      `${JOB_NAME.expected}, at most ${LONGEST_NAME} characters`,
    ),
    ...nameRules(framework),
    ...presenceRules(framework),
    ...framework.roles.flatMap((role) => sizeRules(framework, role)),
    ...templateRules(framework),
    ...managerRules(framework),
    ...elasticRules(framework),
  ];
}

/** Pods and Services are called after job, role and index. */
function nameRules({ roles, podName = podNameOf }: Framework): string[] {
  return roles.map((role) => {
    const [first, last] = [0, 10].map((index) => podName('', role.name, index).length) as [number, number];
    const replicas = replicasOf(role);
    const digits = last > first ? `size(string(${replicas} > 0 ? ${replicas} - 1 : 0))` : '0';
    const fixed = last > first ? first - 1 : first;
    const fits = `size(object.metadata.name) + ${fixed} + ${digits} <= ${LONGEST_NAME}`;
    const ending = podName('', role.name, 0).replace(/0$/, 'INDEX');
    return faultUnless(
      `variables.keys.all(k, !(${isRole(role)}) || ${fits})`,
      'metadata.name',
      `fewer characters, because pod names add ${ending} and have at most ${LONGEST_NAME}`,
    );
  });
}

function presenceRules(framework: Framework): string[] {
  const { roles, replicaSpecs } = framework;
  const path = rolePath({ replicaSpecs });
  const names = roles.map(({ name }) => name);
  const lower = celList(names.map((name) => roleKey(name)));
  const required = roles.filter((role) => role.required);
  const mandatory = roles.filter(({ minReplicas }) => minReplicas > 0).map(({ name }) => roleKey(name));
  const counts = roles.map((role) => `${named(role)}.map(k, ${replicasOf(role)})`).join(' + ');
  const hasPods = `size(variables.keys) == 0 || variables.keys.exists(k, k.lowerAscii() in ${celList(mandatory)}) || (${counts}).exists(n, n != 0)`;
  return [
    faultOfEach(framework, {
      ...{ fails: `!(k.lowerAscii() in ${lower})`, field: '' },
      expected: `one of ${names.join(', ')}`,
    }),
    ...required.map((role) =>
      faultUnless(`size(${named(role)}) > 0`, rolePath({ replicaSpecs }, role.name), 'a role'),
    ),
    ...(required.length > 0
      ? []
      : [faultUnless('size(variables.keys) > 0', path, `at least one of ${names.join(', ')}`)]),
    ...roles.map((role) => faultUnless(`size(${named(role)}) <= 1`, path, `${role.name} once`)),
    faultUnless(hasPods, path, 'at least one replica'),
  ];
}

function sizeRules(framework: Framework, role: RoleRules): string[] {
  const { minReplicas, maxReplicas, restartPolicies, defaultRestartPolicy } = role;
  const replicas = replicasOf(role);
  const tooMany = maxReplicas === undefined ? '' : ` || ${replicas} > ${maxReplicas}`;
  const size = faultOfEach(framework, {
    fails: `${isRole(role)} && (${replicas} < ${minReplicas}${tooMany})`,
    field: '.replicas',
    expected: rangeOf(minReplicas, maxReplicas),
  });
  if (!restartPolicies) return [size];
  const policy = `variables.roles[k].?restartPolicy.orValue(${celText(defaultRestartPolicy)})`;
  return [
    size,
    faultOfEach(framework, {
      fails: `${isRole(role)} && !(${policy} in ${celList(restartPolicies)})`,
      field: '.restartPolicy',
      expected: `one of ${restartPolicies.join(', ')}`,
    }),
  ];
}

function templateRules(framework: Framework): string[] {
  const containers = 'variables.roles[k].template.spec.?containers.orValue(null)';
  const isNamed = 'type(c) == map && c.?name.orValue("") != "" && c.?image.orValue("") != ""';
  return [
    faultOfEach(framework, {
      ...{ fails: '!(k in variables.withPods)', field: '.template.spec' },
      expected: 'an object',
    }),
    faultOfEach(framework, {
      ...{ of: 'variables.withPods', fails: `type(${containers}) != list || size(${containers}) == 0` },
      ...{ field: '.template.spec.containers', expected: 'a list of at least 1' },
    }),
    faultOfEach(framework, {
      ...{
        of: 'variables.withPods',
        fails: `type(${containers}) == list && !${containers}.all(c, ${isNamed})`,
      },
      ...{ field: '.template.spec.containers', expected: 'each with a name and an image' },
    }),
  ];
}

function managerRules({ dialect: { manager } }: Framework): string[] {
  if (manager === undefined) return [];
  const allowed = [manager, OWN_MANAGER, MULTI_KUEUE];
  const managedBy = `object.spec.?runPolicy.?managedBy.orValue(${celText(manager)})`;
  return [
    faultUnless(
      `${managedBy} in ${celList(allowed)}`,
      'spec.runPolicy.managedBy',
      `one of ${allowed.join(', ')}, or no value`,
    ),
  ];
}

function elasticRules({ options, roles, replicaSpecs }: Framework): string[] {
  const worker = roles.find(({ name }) => name === 'Worker');
  if (!('elasticPolicy' in options.shape) || !worker) return [];
  const policy = 'object.spec.elasticPolicy';
  const [min, max] = [`${policy}.?minReplicas`, `${policy}.?maxReplicas`];
  const replicas = replicasOf(worker);
  const least = `${min}.orValue(${max}.orValue(${replicas}))`;
  const most = `${max}.orValue(${min}.orValue(${replicas}))`;
  const isWithin = `${least} <= ${most} && ${least} <= ${replicas} && (${replicas} <= ${most} || !${max}.hasValue())`;
  return [
    faultUnless(
      `!has(${policy}) || size(${named(worker)}) > 0`,
      rolePath({ replicaSpecs }, 'Worker'),
      'a value when elasticPolicy is set',
    ),
    faultUnless(
      `!has(${policy}) || ${named(worker)}.all(k, ${isWithin})`,
      'spec.elasticPolicy',
      'minReplicas <= Worker.replicas <= maxReplicas (an unset bound equals the other one)',
    ),
  ];
}

/** Faults of an edit: what a live job cannot follow. `fields`: those of spec. */
export function editRules(framework: Framework, fields: readonly string[]): readonly string[] {
  const { dialect, replicaSpecs, roles } = framework;
  const path = rolePath({ replicaSpecs });
  const same = (field: string) =>
    `object.?${field.replaceAll('.', '.?')} == oldObject.?${field.replaceAll('.', '.?')}`;
  const unlessEdited = (holds: string, at: string, why: string) =>
    faultUnless(`!variables.isLive || ${holds}`, at, `the present value, ${why}`);
  const whilePods = (holds: string, at: string) =>
    faultUnless(`!variables.keepsPods || ${holds}`, at, `the present value, ${KEPT_BY_PODS}`);
  /** A role may be written in another case than before. */
  const sameRole = (role: RoleRules, field: string) =>
    `variables.keys.all(k, !(${isRole(role)}) || variables.oldKeys.all(o, !(${isRole(role, 'o')}) || variables.roles[k].${field} == variables.oldRoles[o].${field}))`;
  const kept = (dialect.fields.runPolicy ?? []).filter(
    (field) => !FOLLOWED.some((one) => one === field) && field !== 'managedBy',
  );
  const keptBelow = (at: string, field: string) => {
    const path = [at, field].filter(Boolean).join('.');
    return field === 'schedulingPolicy' ? keptOfGroup(framework, path) : [`spec.${path}`];
  };
  const roleNames = new Set(roles.map(({ name }) => name));
  const others = fields.filter(
    (field) => !['runPolicy', 'cleanPodPolicy', replicaSpecs].includes(field) && !roleNames.has(field),
  );
  return [
    ...(dialect.manager === undefined
      ? []
      : [
          faultUnless(
            `!variables.isEdit || ${same('spec.runPolicy.managedBy')}`,
            'spec.runPolicy.managedBy',
            'the present value: two engines would run the job',
          ),
        ]),
    ...roles.map((role) =>
      unlessEdited(`size(${named(role)}) == size(${named(role, 'variables.oldKeys')})`, path, KEPT),
    ),
    ...roles.map((role) =>
      whilePods(sameRole(role, '?template'), rolePath({ replicaSpecs }, `${role.name}.template`)),
    ),
    ...roles.map((role) =>
      whilePods(
        sameRole(role, `?restartPolicy.orValue(${celText(role.defaultRestartPolicy)})`),
        rolePath({ replicaSpecs }, `${role.name}.restartPolicy`),
      ),
    ),
    ...kept.flatMap((field) => keptBelow('runPolicy', field)).map((at) => whilePods(same(at), at)),
    ...others.flatMap((field) => keptBelow('', field)).map((at) => whilePods(same(at), at)),
    ...[...READ_ANNOTATIONS]
      .filter((key) => key !== ANNOTATIONS.policy)
      .map((key) => {
        const [now, before] = ['object', 'oldObject'].map(
          (one) => `${one}.metadata.?annotations[?${celText(key)}]`,
        );
        const holds = `${now} == ${before}`;
        const at = `metadata.annotations[${key}]`;
        return key === ANNOTATIONS.waitForMaster ? whilePods(holds, at) : unlessEdited(holds, at, KEPT);
      }),
  ];
}

/** The bridge changes the size of a group where its scheduler allows it; it keeps everything else of that. */
const keptOfGroup = ({ dialect }: Framework, path: string): readonly string[] =>
  (dialect.fields[path] ?? [])
    .filter((field) => !GROUP.some((one) => one === field))
    .map((field) => `spec.${path}.${field}`);
