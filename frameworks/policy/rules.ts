import type { Container } from '../../contracts/kubernetes.ts';
import { type CheckpointSignal, FAILURE_CLASSES, RESTART_SCOPES } from '../../contracts/policy.ts';
import { findRole } from '../../contracts/roles.ts';
import type { Role } from '../../contracts/training-job.ts';
import type { Fault } from '../../contracts/types.ts';
import { nearest } from '../../language/did-you-mean.ts';
import { didYouMean } from '../../language/meant.ts';
import { describeValue } from '../fields/faults.ts';
import type { Framework } from '../model/framework.ts';
import { mainContainerOf } from '../model/main-container.ts';
import { CLASS_NAME, type PolicyFields } from './schema.ts';

type Failures = NonNullable<PolicyFields['failures']>;
type Restart = NonNullable<PolicyFields['restart']>;

/** Checks rules that span several fields; paths are relative to the document. */
export const checkRules = ({
  restart = {},
  failures = {},
  progress,
  checkpoint,
  nodes,
  gang,
}: PolicyFields): Fault[] => [
  ...checkLadder(restart),
  ...checkBackOff(restart),
  ...checkCriteria(failures),
  ...checkClasses(failures),
  ...(progress ? checkProgress(progress) : []),
  ...(checkpoint ? checkCheckpoint(checkpoint) : []),
  ...(checkpoint ? [] : checkNotices(nodes ?? {})),
  ...(gang ? checkGangRules(gang) : []),
];

/** The job that a policy is checked against. */
export interface Subject {
  readonly roles: readonly Role[];
  readonly framework: Pick<Framework, 'container'>;
}

/** Checks the policy against the job. */
export const checkFit = (
  { failures = {}, checkpoint = {}, spares }: PolicyFields,
  subject: Subject,
): Fault[] => [
  ...checkRoles(failures, subject.roles),
  ...(spares?.role === undefined ? [] : checkRole('spares.role', spares.role, subject.roles)),
  ...(checkpoint.file ? checkMounts(checkpoint.file, subject.roles) : []),
  ...(checkpoint.signal ? checkHooks(checkpoint.signal, subject) : []),
];

/** The folder of the file, which is mounted into every container. */
const folderOfFile = (file: string) => file.slice(0, file.lastIndexOf('/'));

/** Requires increasing scopes without duplicates: a job moves only up the ladder. */
function checkLadder({ ladder = [] }: Restart): Fault[] {
  let highest = -1;
  return ladder.flatMap(({ scope }, index) => {
    const size = RESTART_SCOPES.indexOf(scope);
    const isHigher = size > highest;
    highest = Math.max(highest, size);
    if (isHigher) return [];
    const larger = RESTART_SCOPES.slice(highest + 1);
    const expected = larger.length
      ? `a larger scope than those before it: ${larger.join(', ')}`
      : `no scope after ${RESTART_SCOPES[highest]}`;
    return [{ path: `restart.ladder[${index}].scope`, expected, got: describeValue(scope) }];
  });
}

function checkBackOff({ backOff: { initial, max } = {} }: Restart): Fault[] {
  if (initial === undefined || max === undefined || max >= initial) return [];
  const expected = `at least restart.backOff.initial (${initial / 1000}s)`;
  return [{ path: 'restart.backOff.max', expected, got: `${max / 1000}s` }];
}

const CRITERIA = ['exitCodes', 'pattern', 'reasons', 'roles'] as const;

function checkCriteria({ rules = [] }: Failures): Fault[] {
  return rules.flatMap((rule, index) => {
    if (CRITERIA.some((criterion) => rule[criterion] !== undefined)) return [];
    const path = `failures.rules[${index}]`;
    return [{ path, expected: `at least one of ${CRITERIA.join(', ')}`, got: 'none' }];
  });
}

function checkClasses({ rules = [], classes = {} }: Failures): Fault[] {
  const known = [...new Set([...FAILURE_CLASSES, ...rules.map((rule) => rule.class)])];
  return Object.entries(classes).flatMap(([name, fields]) => [
    ...checkClassName(name, known),
    ...checkClass(name, fields),
  ]);
}

function checkClassName(name: string, known: readonly string[]): Fault[] {
  if (known.includes(name)) return [];
  const meant = didYouMean(nearest(name, known));
  const expected = CLASS_NAME.regex.test(name)
    ? `one of ${known.join(', ')}: built-in classes, or classes that a rule names${meant && ` (${meant})`}`
    : CLASS_NAME.error;
  return [{ path: `failures.classes.${name}`, expected, got: describeValue(name) }];
}

function checkClass(
  name: string,
  { final, free, budget, after }: NonNullable<Failures['classes']>[string],
): Fault[] {
  const path = `failures.classes.${name}`;
  const faults: Fault[] = [];
  const absent = (field: string, rival: string, got: unknown) =>
    faults.push({
      path: `${path}.${field}`,
      expected: `no value when ${rival} is set`,
      got: describeValue(got),
    });
  if (final && free) absent('free', 'final', free);
  if (budget !== undefined && final) absent('budget', 'final', budget);
  else if (budget !== undefined && free) absent('budget', 'free', budget);
  if (after !== undefined && name !== 'startUp') {
    const expected = 'no value: only startUp has this field';
    faults.push({ path: `${path}.after`, expected, got: `${after / 1000}s` });
  }
  return faults;
}

function checkOneOf<Name extends string>(
  path: string,
  fields: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly [Name, Name],
): Fault[] {
  const given = names.filter((name) => fields[name] !== undefined);
  if (given.length === 1) return [];
  return [{ path, expected: `either ${names.join(' or ')}`, got: given.length ? 'both' : 'neither' }];
}

/** Steps are read only where nothing is named that reports progress. */
function checkProgress(progress: NonNullable<PolicyFields['progress']>): Fault[] {
  const { log, annotation, stalledAfter, onHang } = progress;
  const source = log ?? annotation;
  if (onHang === undefined || (source === undefined && stalledAfter !== undefined))
    return checkOneOf('progress', progress, ['log', 'annotation']);
  if (source === undefined) return [];
  const named = log === undefined ? 'annotation' : 'log';
  const expected = `no value with ${named}: progress.stalledAfter limits how long it may report nothing`;
  return [{ path: 'progress.onHang', expected, got: describeValue(onHang) }];
}

function checkCheckpoint(checkpoint: NonNullable<PolicyFields['checkpoint']>): Fault[] {
  const { signal, acknowledgedBy } = checkpoint;
  const faults = checkOneOf('checkpoint', checkpoint, ['file', 'signal']);
  if (!acknowledgedBy) return faults;
  const path = 'checkpoint.acknowledgedBy';
  faults.push(...checkOneOf(path, acknowledgedBy, ['log', 'annotation']));
  if (signal) {
    const expected = 'no value with signal: a container acknowledges a signal by ending';
    faults.push({ path, expected, got: describeValue(acknowledgedBy) });
  }
  return faults;
}

/** Somebody must know how the program is asked. */
const checkNotices = (nodes: NonNullable<PolicyFields['nodes']>): Fault[] =>
  (['onSick', 'onLeaving'] as const).flatMap((field) =>
    nodes[field] === 'checkpoint'
      ? [
          {
            path: `nodes.${field}`,
            expected:
              'tell or restart without checkpoint.file or checkpoint.signal, by which the program is asked',
            got: describeValue('checkpoint'),
          },
        ]
      : [],
  );

/** What follows a limit follows from one. */
function checkGangRules({ placedWithin, otherwise, lift }: NonNullable<PolicyFields['gang']>): Fault[] {
  if (placedWithin !== undefined || (lift !== undefined && otherwise === undefined)) return [];
  const because = otherwise === undefined ? '' : ', because `otherwise` says what follows';
  return [
    { path: 'gang.placedWithin', expected: `a duration, e.g. 30m${because}`, got: describeValue(undefined) },
  ];
}

function checkRoles({ rules = [] }: Failures, roles: readonly Role[]): Fault[] {
  return rules.flatMap((rule, index) =>
    (rule.roles ?? []).flatMap((role, at) => checkRole(`failures.rules[${index}].roles[${at}]`, role, roles)),
  );
}

function checkRole(path: string, role: string, roles: readonly Role[]): Fault[] {
  if (findRole(roles, role)) return [];
  const names = roles.map(({ name }) => name);
  const meant = didYouMean(nearest(role, names));
  const expected = `a role of the job: ${names.join(', ')}${meant && ` (${meant})`}`;
  return [{ path, expected, got: describeValue(role) }];
}

/** The API server accepts only one volume per mount path. */
function checkMounts(file: string, roles: readonly Role[]): Fault[] {
  const taken = roles.find(({ template }) =>
    template.spec.containers.some((container) => mountsAt(container, folderOfFile(file))),
  );
  if (!taken) return [];
  const expected = `a directory where ${taken.name} mounts no volume`;
  return [{ path: 'checkpoint.file', expected, got: describeValue(file) }];
}

/** A preStop hook sends every signal other than SIGTERM, to process 1 of the container. */
function checkHooks(signal: CheckpointSignal, { roles, framework }: Subject): Fault[] {
  if (signal === 'SIGTERM') return [];
  const fault = (why: string) => [{ path: 'checkpoint.signal', expected: why, got: describeValue(signal) }];
  for (const { name, template } of roles) {
    const { lifecycle } = mainContainerOf(template, framework);
    if (lifecycle?.preStop) {
      return fault(`SIGTERM, because the container of ${name} has its own preStop hook`);
    }
    if (template.spec.shareProcessNamespace === true) {
      return fault(`SIGTERM, because ${name} has shareProcessNamespace: true`);
    }
  }
  return [];
}

/** Pod templates are not fully validated at this point. */
function mountsAt({ volumeMounts }: Container, folder: string): boolean {
  if (!Array.isArray(volumeMounts)) return false;
  return volumeMounts.some((mount) => String(mount?.mountPath).replace(/\/+$/, '') === folder);
}
