import type { Container } from '../../contracts/kubernetes.ts';
import { podNameOf } from '../../contracts/labels.ts';
import type { Role } from '../../contracts/training-job.ts';
import type { Fault } from '../../contracts/types.ts';
import { asFields } from '../../language/fields.ts';
import { didYouMean } from '../../language/meant.ts';
import { describeValue, faultsOf } from '../fields/faults.ts';
import { LONGEST_NAME } from '../fields/manifest-schema.ts';
import type { RoleFields } from '../model/dialect.ts';
import { type Framework, listOfRoles, type RoleRules, rolePath } from '../model/framework.ts';
import { type WrittenRole, writtenRoles } from '../model/written-roles.ts';

/** Returns the roles of a manifest in the kind's order, with defaults; adds faults to `faults`. */
export function parseRoles(framework: Framework, manifest: unknown, faults: Fault[]): Role[] {
  const { name: jobName } = asFields(asFields(manifest).metadata);
  // The wrong shape is reported elsewhere.
  const written = writtenRoles(framework, manifest);
  if (!written) return [];
  const seen = new Set<string>();
  const roles = written.flatMap((role) => {
    const { name, rules, value, path } = role;
    if (!rules) {
      const meant = checkUnknownRole(framework, role, faults);
      if (meant && !written.some((other) => other.name === meant)) seen.add(meant);
      return [];
    }
    if (seen.has(name)) faults.push(faultOfSecond(framework, name, path));
    seen.add(name);
    return parseRole(framework, { name, rules, value, path }, faults);
  });
  faults.push(...checkPresence(framework, seen, roles));
  if (typeof jobName === 'string') checkNames(framework, { jobName, roles }, faults);
  return [...roles].sort((a, b) => orderOf(framework, a) - orderOf(framework, b));
}

/** The content of what is meant for a role may have faults, too. Returns the role that was probably meant. */
function checkUnknownRole(
  framework: Framework,
  { key, value, path, meant = ANY_ROLE }: WrittenRole,
  faults: Fault[],
): string | undefined {
  const hint = meant.name && ` (${didYouMean(meant.name)})`;
  faults.push({ path, expected: `one of ${roleNames(framework)}${hint}`, got: describeValue(key) });
  if (meant.name || Object.hasOwn(asFields(value), 'template'))
    parseRole(framework, { name: meant.name, rules: meant, value, path }, faults);
  return meant.name;
}

const ANY_ROLE: RoleRules = { name: '', minReplicas: 0, defaultRestartPolicy: 'Never' };

const faultOfSecond = (framework: Framework, name: string, path: string): Fault =>
  listOfRoles(framework) === undefined
    ? { path, expected: `${name} once`, got: 'a second one' }
    : { path: `${path}.name`, expected: 'a unique name', got: describeValue(name) };

/** Requires at least one pod and every required role. */
function checkPresence(framework: Framework, seen: ReadonlySet<string>, roles: readonly Role[]): Fault[] {
  const missing = framework.roles.filter(({ name, required }) => required && !seen.has(name));
  if (missing.length > 0) {
    return missing.map(({ name }) => ({
      path: rolePath(framework, name),
      expected: 'a role',
      got: 'nothing',
    }));
  }
  const path = rolePath(framework);
  if (seen.size === 0) {
    const names = listOfRoles(framework) === undefined ? `one of ${roleNames(framework)}` : 'one';
    return [{ path, expected: `at least ${names}`, got: 'none' }];
  }
  // Skip the check if a role is invalid or must have replicas: its own path reports the fault.
  const isReported = framework.roles.some(({ name, minReplicas }) => minReplicas > 0 && seen.has(name));
  if (isReported || roles.length < seen.size || roles.some(({ replicas }) => replicas !== 0)) return [];
  return [{ path, expected: 'at least one replica', got: '0' }];
}

function parseRole(
  framework: Framework,
  { name, rules, value, path }: Pick<WrittenRole, 'name' | 'value' | 'path'> & { readonly rules: RoleRules },
  faults: Fault[],
): Role[] {
  const parsed = framework.dialect.role.safeParse(value);
  const own = framework.roleOptions?.safeParse(value);
  for (const { error } of [parsed, own ?? {}]) if (error) faults.push(...faultsOf(error, value, path));
  if (!parsed.success || own?.error) return [];
  const { defaultReplicas = 1, defaultRestartPolicy } = rules;
  const { replicas = defaultReplicas, restartPolicy = defaultRestartPolicy, template } = parsed.data;
  const options = own ? { options: own.data } : {};
  const role: Role = { name, replicas, restartPolicy, template, ...options };
  faults.push(...checkReplicas(rules, role, path), ...checkContainers(framework, role, path));
  return [role];
}

function checkReplicas(rules: RoleRules, { replicas, restartPolicy }: Role, path: string): Fault[] {
  const faults: Fault[] = [];
  const { minReplicas, maxReplicas, restartPolicies } = rules;
  if (replicas < minReplicas || replicas > (maxReplicas ?? Number.POSITIVE_INFINITY)) {
    faults.push({
      path: `${path}.replicas`,
      expected: rangeOf(minReplicas, maxReplicas),
      got: `${replicas}`,
    });
  }
  if (restartPolicies && !restartPolicies.includes(restartPolicy)) {
    const expected = `one of ${restartPolicies.join(', ')}`;
    faults.push({ path: `${path}.restartPolicy`, expected, got: describeValue(restartPolicy) });
  }
  return faults;
}

/** Says how many replicas are expected; without `most`, as many as one likes. */
export function rangeOf(least: number, most?: number): string {
  if (least === most) return `exactly ${least}`;
  return most === undefined ? `an integer >= ${least}` : `an integer from ${least} to ${most}`;
}

/** Finds faults that the API server would report only after other pods of the job were created. */
function checkContainers({ dialect }: Framework, { template }: RoleFields, path: string): Fault[] {
  const faults: Fault[] = [];
  const names = new Set<string>();
  for (const list of ['initContainers', 'containers'] as const) {
    for (const [index, container] of (template.spec[list] ?? []).entries()) {
      const at = `${path}.template.spec.${list}[${index}]`;
      if (names.has(container.name)) {
        faults.push({ path: `${at}.name`, expected: 'a unique name', got: describeValue(container.name) });
      }
      names.add(container.name);
      faults.push(...checkPorts(container, at));
      if (dialect.variablesAreUnique) faults.push(...checkVariables(container, at));
    }
  }
  return faults;
}

function checkVariables({ env = [] }: Container, path: string): Fault[] {
  const names = new Set<string>();
  return env.flatMap(({ name }, index) => {
    const isTaken = names.has(name);
    names.add(name);
    return isTaken
      ? [{ path: `${path}.env[${index}].name`, expected: 'a unique name', got: describeValue(name) }]
      : [];
  });
}

function checkPorts({ ports = [] }: Container, path: string): Fault[] {
  const taken = new Set<string | undefined>();
  return ports.flatMap(({ name, containerPort, protocol = 'TCP' }, index) => {
    const port = `${containerPort}/${protocol}`;
    const at = `${path}.ports[${index}]`;
    const faults: Fault[] = [];
    if (taken.has(port)) faults.push({ path: at, expected: 'a unique port', got: port });
    if (name && taken.has(name)) {
      faults.push({ path: `${at}.name`, expected: 'a unique name', got: describeValue(name) });
    }
    taken.add(port).add(name);
    return faults;
  });
}

/** The longest name of a child must be a DNS label, or its Service cannot be created. */
function checkNames(
  { podName = podNameOf }: Framework,
  { jobName, roles }: { readonly jobName: string; readonly roles: readonly Role[] },
  faults: Fault[],
): void {
  const endings = roles.map(({ name, replicas }) => podName('', name, Math.max(0, replicas - 1)));
  const longest = endings.reduce((a, b) => (b.length > a.length ? b : a), '');
  const most = LONGEST_NAME - longest.length;
  // A name that is too long by itself is already reported.
  if (jobName.length <= most || jobName.length > LONGEST_NAME) return;
  const expected = `at most ${most} characters, because pod names add ${longest} and have at most ${LONGEST_NAME}`;
  faults.push({ path: 'metadata.name', expected, got: `${jobName.length}` });
}

const roleNames = ({ roles }: Framework) => roles.map(({ name }) => name).join(', ');

/** Those of a list stay in its order. */
const orderOf = ({ roles }: Framework, role: Role) => roles.findIndex(({ name }) => name === role.name);
