import type { Fault } from '../contracts/faults.ts';
import type { Container } from '../contracts/kubernetes.ts';
import { podNameOf } from '../contracts/labels.ts';
import type { Role } from '../contracts/training-job.ts';
import { describe, faultsOf } from './faults.ts';
import type { Framework, RoleRules } from './framework.ts';
import { type ReplicaSpec, replicaSpec } from './manifest-schema.ts';

const LONGEST_NAME = 63;

/** The roles of a manifest in the kind's own order, with defaults; what is wrong is added to `faults`. */
export function parseRoles(framework: Framework, manifest: unknown, faults: Fault[]): Role[] {
  const { metadata, spec } = manifest as { metadata?: { name?: unknown }; spec?: Record<string, unknown> };
  const specs = spec?.[framework.replicaSpecs];
  const path = `spec.${framework.replicaSpecs}`;
  // The shape of the whole manifest is checked elsewhere.
  if (specs === null || typeof specs !== 'object') return [];
  const entries = Object.entries(specs);
  if (entries.length === 0) {
    faults.push({ path, expected: `at least one of ${roleNames(framework)}`, got: 'none' });
  }
  const seen = new Set<string>();
  const roles = entries.flatMap(([key, value]) => {
    const rules = framework.roles.find(({ name }) => name.toLowerCase() === key.toLowerCase());
    const at = `${path}.${key}`;
    if (!rules) {
      faults.push({ path: at, expected: `one of ${roleNames(framework)}`, got: describe(key) });
      return [];
    }
    if (seen.has(rules.name)) {
      faults.push({ path: at, expected: `${rules.name} to be given once`, got: 'another one' });
    }
    seen.add(rules.name);
    return parseRole(framework, { rules, value, path: at }, faults);
  });
  if (typeof metadata?.name === 'string') checkNames(metadata.name, roles, faults);
  return [...roles].sort((a, b) => orderOf(framework, a) - orderOf(framework, b));
}

function parseRole(
  framework: Framework,
  { rules, value, path }: { rules: RoleRules; value: unknown; path: string },
  faults: Fault[],
): Role[] {
  const parsed = replicaSpec.safeParse(value);
  if (!parsed.success) {
    faults.push(...faultsOf(parsed.error, value, path));
    return [];
  }
  faults.push(...checkReplicas(rules, parsed.data, path), ...checkContainers(parsed.data, path));
  const { replicas = 1, restartPolicy = framework.defaultRestartPolicy, template } = parsed.data;
  return [{ name: rules.name, replicas, restartPolicy, template }];
}

function checkReplicas(rules: RoleRules, { replicas = 1 }: ReplicaSpec, path: string): Fault[] {
  const { minReplicas, maxReplicas = Number.POSITIVE_INFINITY } = rules;
  if (replicas >= minReplicas && replicas <= maxReplicas) return [];
  const expected = minReplicas === maxReplicas ? `exactly ${minReplicas}` : `an integer >= ${minReplicas}`;
  return [{ path: `${path}.replicas`, expected, got: String(replicas) }];
}

/** What the API server would only find after other pods of the job had been made. */
function checkContainers({ template }: ReplicaSpec, path: string): Fault[] {
  const faults: Fault[] = [];
  const names = new Set<string>();
  for (const [index, container] of template.spec.containers.entries()) {
    const at = `${path}.template.spec.containers[${index}]`;
    if (names.has(container.name)) {
      faults.push({ path: `${at}.name`, expected: 'a name of its own', got: describe(container.name) });
    }
    names.add(container.name);
    faults.push(...checkPorts(container, at));
  }
  return faults;
}

function checkPorts({ ports = [] }: Container, path: string): Fault[] {
  const taken = new Set<string | undefined>();
  return ports.flatMap(({ name, containerPort, protocol = 'TCP' }, index) => {
    const port = `${containerPort}/${protocol}`;
    const at = `${path}.ports[${index}]`;
    const faults: Fault[] = [];
    if (taken.has(port)) faults.push({ path: at, expected: 'a port of its own', got: port });
    if (name && taken.has(name)) {
      faults.push({ path: `${at}.name`, expected: 'a name of its own', got: describe(name) });
    }
    taken.add(port).add(name);
    return faults;
  });
}

/** The longest name of a child must still be a DNS label, or its Service can never be made. */
function checkNames(jobName: string, roles: readonly Role[], faults: Fault[]): void {
  const endings = roles.map(({ name, replicas }) => podNameOf('', name, Math.max(0, replicas - 1)));
  const longest = endings.reduce((a, b) => (b.length > a.length ? b : a), '');
  const most = LONGEST_NAME - longest.length;
  // One that is too long by itself is told already.
  if (jobName.length <= most || jobName.length > LONGEST_NAME) return;
  const expected = `at most ${most} characters, as names of pods end in ${longest} and have at most ${LONGEST_NAME}`;
  faults.push({ path: 'metadata.name', expected, got: `${jobName.length}` });
}

const roleNames = ({ roles }: Framework) => roles.map(({ name }) => name).join(', ');

const orderOf = ({ roles }: Framework, role: Role) => roles.findIndex(({ name }) => name === role.name);
