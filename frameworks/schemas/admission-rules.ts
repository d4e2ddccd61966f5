import { ENDS_OF_CONDITIONS, ENDS_OF_STATES } from '../../contracts/job-resources.ts';
import { podNameOf } from '../../contracts/labels.ts';
import { roleKey } from '../../contracts/roles.ts';
import { MULTI_KUEUE } from '../dialects/kubeflow-dialect.ts';
import { JOB_NAME, LONGEST_NAME } from '../fields/manifest-schema.ts';
import { FRAMEWORKS } from '../kinds/registry.ts';
import { rangeOf } from '../manifest/roles.ts';
import { celList, celOptional, celPlace, celSentence, celSuspended, celText } from '../model/cel.ts';
import { ANY_ROLE, type Framework, listOfRoles, type RoleRules, rolePath } from '../model/framework.ts';

/**
 * The parser's rules, as far as CEL can say them: each is an expression for a list of faults, in the words of the parser. The API
 * server has compared an object with its definition before, so fields have their types, but for those of templates.
 */

export const faultUnless = (holds: string, path: string, expected: string) =>
  `(${holds} ? [] : [${celText(`${path}: expected ${expected}`)}])`;

/** A fault for each role of which `fails` holds; `k` is its key: its name as it is written, or in a list the role itself. */
const faultOfEach = (framework: Framework, { of = 'variables.keys', fails, field, expected }: RoleFault) => {
  const name = celPlace(nameOf(framework));
  const [path, told] = isList(framework)
    ? [rolePath(framework), `${expected} at ${field} of ${name}`]
    : [[rolePath(framework, name), field].filter(Boolean).join('.'), expected];
  return `${of}.filter(k, ${fails}).map(k, ${celSentence(`${path}: expected ${told}`)})`;
};

export const isList = (framework: Pick<Framework, 'replicaSpecs'>) => listOfRoles(framework) !== undefined;
export const roleAt = (framework: Framework, key = 'k', roles = 'roles') =>
  isList(framework) ? key : `variables.${roles}[${key}]`;
export const nameOf = (framework: Framework, key = 'k') =>
  isList(framework) ? `${key}.?name.orValue("")` : key;

interface RoleFault {
  readonly of?: string;
  readonly fails: string;
  /** Below the role. */
  readonly field: string;
  readonly expected: string;
}

export const isRole = ({ name }: RoleRules, key = 'k') =>
  name === ANY_ROLE ? 'true' : `${key}.lowerAscii() == ${celText(roleKey(name))}`;
export const named = (role: RoleRules, keys = 'variables.keys') => `${keys}.filter(k, ${isRole(role)})`;
const replicasOf = (framework: Framework, { defaultReplicas = 1 }: RoleRules) =>
  `${roleAt(framework)}.?replicas.orValue(${defaultReplicas})`;

/** What other expressions refer to, in this order. */
export function variablesOf(framework: Framework): readonly Variable[] {
  return [
    { name: 'isEdit', expression: 'request.operation == "UPDATE"' },
    // A job that is not started yet, or has ended, may be edited at will.
    { name: 'isLive', expression: `${isLiveIn(framework)} && !(${IS_BEHIND})` },
    { name: 'keepsPods', expression: `variables.isLive && !(${isSuspendedIn(framework)})` },
    ...roleVariables(framework),
    {
      name: 'oldRoles',
      expression: `variables.isEdit ? ${rolesIn(framework, 'oldObject')} : ${isList(framework) ? '[]' : '{}'}`,
    },
    { name: 'oldKeys', expression: keysOf(framework, 'variables.oldRoles') },
    {
      name: 'withPods',
      expression: `variables.keys.filter(k, type(${roleAt(framework)}.?template.?spec.orValue(null)) == map)`,
    },
  ];
}

/** The roles of a resource by the names that it writes, and these. */
export const roleVariables = (framework: Framework): readonly Variable[] => [
  { name: 'roles', expression: rolesIn(framework, 'object') },
  { name: 'keys', expression: keysOf(framework, 'variables.roles') },
];

/** A list of the roles of a resource of any kind; where they are fields of spec itself, with the other fields beside them. */
export const rolesOfAny = (object: string): string =>
  ofField(({ at, list }) =>
    list
      ? `${object}.${at}.map(r, {"name": dyn(r.?name.orValue("")), "of": dyn(r)})`
      : `${object}.${at}.map(k, {"name": dyn(k), "of": dyn(${object}.${at}[k])})`,
  )(object);

/** The same, with the path of each. */
export const placesOfRoles = (object: string): string =>
  ofField(({ at, list }) =>
    list
      ? `${object}.${at}.transformList(i, r, {"at": dyn("${at}[" + string(i) + "]"), "of": dyn(r)})`
      : `${object}.${at}.map(k, {"at": dyn("${at}." + k), "of": dyn(${object}.${at}[k])})`,
  )(object);

interface FieldOfRoles {
  readonly at: string;
  readonly list: boolean;
}

const ofField = (told: (field: FieldOfRoles) => string) => (object: string) => {
  const written = FRAMEWORKS.filter(({ references }) => !references);
  const fields = [...new Set(written.map(({ replicaSpecs }) => replicaSpecs))].filter(Boolean);
  const cases = fields.map((replicaSpecs) => {
    const at = rolePath({ replicaSpecs });
    return `has(${object}.${at}) ? ${told({ at, list: isList({ replicaSpecs }) })} : `;
  });
  return `${cases.join('')}${told({ at: 'spec', list: false })}`;
};

export interface Variable {
  readonly name: string;
  readonly expression: string;
}

const rolesIn = (framework: Framework, object: string) => {
  const list = listOfRoles(framework);
  if (list) return `${object}.spec.?${list}.orValue([])`;
  const { replicaSpecs } = framework;
  return replicaSpecs ? `${object}.spec.?${replicaSpecs}.orValue({})` : `${object}.spec`;
};

/** Where roles are fields of spec itself, there are others beside them. */
const keysOf = ({ replicaSpecs, roles }: Framework, map: string) =>
  replicaSpecs
    ? `${map}.map(k, k)`
    : `${map}.filter(k, k.lowerAscii() in ${celList(roles.map(({ name }) => roleKey(name)))})`;

const IS_TRUE = (types: readonly string[]) =>
  `oldObject.status.?conditions.orValue([]).exists(c, c.type in ${celList(types)} && c.status == "True")`;
const isLiveIn = ({ resource }: Framework) => {
  const { celPhase } = resource ?? {};
  const [runs, hasEnded] = celPhase
    ? [BEGUN, Object.keys(ENDS_OF_STATES)].map((phases) => `${celPhase} in ${celList(phases)}`)
    : [IS_TRUE(BEGUN), IS_TRUE(Object.keys(ENDS_OF_CONDITIONS))];
  return `variables.isEdit && has(oldObject.status) && (oldObject.status.?runId.hasValue() || ${runs}) && !(${hasEnded})`;
};
const BEGUN = ['Running', 'Restarting'];
/** The job does not follow what its resource says: only the bridge knows whether it can follow the next edit, e.g. the way back. */
const IS_BEHIND = [
  'oldObject.status.?appliedGeneration.orValue(oldObject.metadata.generation) < oldObject.metadata.generation',
  // No generation counts annotations.
  '!oldObject.status.?appliedAnnotations.orValue(true)',
].join(' || ');
const isSuspendedIn = ({ dialect: { suspend } }: Framework) =>
  [
    ...celSuspended(suspend, ['object', 'oldObject']),
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
    ...(framework.references ? [] : rulesOfRoles(framework)),
    ...managerRules(framework),
    ...elasticRules(framework),
  ];
}

/** Where manifests have them; those that follow from other objects are checked by the bridge alone. */
const rulesOfRoles = (framework: Framework): readonly string[] => [
  ...nameRules(framework),
  ...presenceRules(framework),
  ...framework.roles.flatMap((role) => sizeRules(framework, role)),
  ...templateRules(framework),
];

/** Pods and Services are called after job, role and index. */
function nameRules(framework: Framework): string[] {
  const { roles, podName = podNameOf } = framework;
  return roles.map((role) => {
    const isAny = role.name === ANY_ROLE;
    const named = isAny ? '' : role.name;
    const [first, last] = [0, 10].map((index) => podName('', named, index).length) as [number, number];
    const replicas = replicasOf(framework, role);
    const digits = last > first ? `size(string(${replicas} > 0 ? ${replicas} - 1 : 0))` : '0';
    const fixed = last > first ? first - 1 : first;
    const ofName = isAny ? ` + size(${nameOf(framework)})` : '';
    const fits = `size(object.metadata.name) + ${fixed} + ${digits}${ofName} <= ${LONGEST_NAME}`;
    const ending = podName('', isAny ? 'TASK' : role.name, 0).replace(/0$/, 'INDEX');
    return faultUnless(
      `variables.keys.all(k, !(${isRole(role)}) || ${fits})`,
      'metadata.name',
      `fewer characters, because pod names add ${ending} and have at most ${LONGEST_NAME}`,
    );
  });
}

function presenceRules(framework: Framework): string[] {
  const { roles } = framework;
  const path = rolePath(framework);
  const required = roles.filter((role) => role.required);
  const mandatory = roles.filter(({ minReplicas }) => minReplicas > 0).map(({ name }) => roleKey(name));
  const counts = roles.map((role) => `${named(role)}.map(k, ${replicasOf(framework, role)})`).join(' + ');
  const isSized =
    mandatory.length > 0 ? `variables.keys.exists(k, k.lowerAscii() in ${celList(mandatory)}) || ` : '';
  const hasPods = `size(variables.keys) == 0 || ${isSized}(${counts}).exists(n, n != 0)`;
  const names = isList(framework) ? 'one' : `one of ${roles.map(({ name }) => name).join(', ')}`;
  return [
    ...distinctRules(framework, path),
    ...required.map((role) =>
      faultUnless(`size(${named(role)}) > 0`, rolePath(framework, role.name), 'a role'),
    ),
    ...(required.length > 0 ? [] : [faultUnless('size(variables.keys) > 0', path, `at least ${names}`)]),
    faultUnless(hasPods, path, 'at least one replica'),
  ];
}

/** Known names, each once. */
function distinctRules(framework: Framework, path: string): string[] {
  const { roles } = framework;
  if (isList(framework)) {
    const [name, other] = [nameOf(framework), nameOf(framework, 'o')];
    const isTwice = `${name} != "" && variables.keys.filter(o, ${other} == ${name}).size() > 1`;
    return [faultOfEach(framework, { fails: isTwice, field: 'name', expected: 'a unique name' })];
  }
  const names = roles.map(({ name }) => name);
  const isUnknown = `!(k.lowerAscii() in ${celList(names.map((one) => roleKey(one)))})`;
  return [
    faultOfEach(framework, { fails: isUnknown, field: '', expected: `one of ${names.join(', ')}` }),
    ...roles.map((role) => faultUnless(`size(${named(role)}) <= 1`, path, `${role.name} once`)),
  ];
}

function sizeRules(framework: Framework, role: RoleRules): string[] {
  const { minReplicas, maxReplicas, restartPolicies, defaultRestartPolicy } = role;
  const replicas = replicasOf(framework, role);
  const tooMany = maxReplicas === undefined ? '' : ` || ${replicas} > ${maxReplicas}`;
  const size = faultOfEach(framework, {
    fails: `${isRole(role)} && (${replicas} < ${minReplicas}${tooMany})`,
    field: 'replicas',
    expected: rangeOf(minReplicas, maxReplicas),
  });
  if (!restartPolicies) return [size];
  const policy = `${roleAt(framework)}.?restartPolicy.orValue(${celText(defaultRestartPolicy)})`;
  return [
    size,
    faultOfEach(framework, {
      fails: `${isRole(role)} && !(${policy} in ${celList(restartPolicies)})`,
      field: 'restartPolicy',
      expected: `one of ${restartPolicies.join(', ')}`,
    }),
  ];
}

function templateRules(framework: Framework): string[] {
  const containers = `${roleAt(framework)}.template.spec.?containers.orValue(null)`;
  const isNamed = 'type(c) == map && c.?name.orValue("") != "" && c.?image.orValue("") != ""';
  return [
    faultOfEach(framework, {
      ...{ fails: '!(k in variables.withPods)', field: 'template.spec' },
      expected: 'an object',
    }),
    faultOfEach(framework, {
      ...{ of: 'variables.withPods', fails: `type(${containers}) != list || size(${containers}) == 0` },
      ...{ field: 'template.spec.containers', expected: 'a list of at least 1' },
    }),
    faultOfEach(framework, {
      ...{
        of: 'variables.withPods',
        fails: `type(${containers}) == list && !${containers}.all(c, ${isNamed})`,
      },
      ...{ field: 'template.spec.containers', expected: 'each with a name and an image' },
    }),
  ];
}

function managerRules({ dialect: { managedBy } }: Framework): string[] {
  if (!managedBy) return [];
  const { field, operator, own = [] } = managedBy;
  const allowed = [operator, own, MULTI_KUEUE].flat();
  const written = `${celOptional('object', field)}.orValue(${celText(operator)})`;
  return [
    faultUnless(
      `${written} in ${celList(allowed)}`,
      `spec.${field}`,
      `one of ${allowed.join(', ')}, or no value`,
    ),
  ];
}

function elasticRules(framework: Framework): string[] {
  const { options, roles, replicaSpecs } = framework;
  const worker = roles.find(({ name }) => name === 'Worker');
  if (!('elasticPolicy' in options.shape) || !worker) return [];
  const policy = 'object.spec.elasticPolicy';
  const [min, max] = [`${policy}.?minReplicas`, `${policy}.?maxReplicas`];
  const replicas = replicasOf(framework, worker);
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
