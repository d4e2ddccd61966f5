import type { Fault } from '../../../contracts/types.ts';
import { nearest } from '../../../language/did-you-mean.ts';
import { asFields, type Fields, isFields, withoutUndefined } from '../../../language/fields.ts';
import { didYouMean } from '../../../language/meant.ts';
import { truncate } from '../../../language/shorten.ts';
import { InvalidManifestError } from '../../errors/errors.ts';
import {
  type BuilderKind,
  type BuilderRole,
  isOfKubeflow,
  optionsOf,
  type RoleSize,
} from './builder-kind.ts';
import type { BuilderOptions, Form, ManifestPlace } from './common-options.ts';
import { isMet } from './option-rules.ts';

/**
 * Returns the manifest that a kind of the table makes of options; python/src/signalbox/_build_manifest.py does the same.
 * Throws `InvalidManifestError` with all options that are wrong.
 */
export function buildManifest<M>(kind: BuilderKind, options: object): M {
  const given = asFields(withoutUndefined(options));
  const known = optionsOf(kind);
  checkOptions(given, known);
  const values = { ...defaultsOf(known), ...given, ...(isOfKubeflow(kind) ? restartsOf(kind, given) : {}) };
  const { metadata, spec } = written(placesOf(known, values));
  const roles = kind.roles
    .filter((role) => hasRole(role, values))
    .map((role) => {
      const own = role.hasOwnRestarts ? { ...values, restartPolicy: given.restartPolicy } : values;
      if (kind.rolesAre === 'patches') return { path: kind.rolesAt, value: patchOf(role, known, own) };
      const value = roleOf(role, known, own);
      return kind.rolesAre === 'list'
        ? { path: kind.rolesAt, value: [{ name: role.name, ...value }] }
        : { path: [...kind.rolesAt, role.name], value };
    });
  const whole = { apiVersion: kind.apiVersion, kind: kind.kind, metadata, spec };
  return written(roles, whole) as M;
}

const defaultsOf = (options: BuilderOptions): Fields =>
  withoutUndefined(
    Object.fromEntries(Object.entries(options).map(([name, option]) => [name, option.default])),
  );

/** Restarts of a job that is to survive failures, unless `backoffLimit` or `restartPolicy` says otherwise. */
const RESTARTS = 3;

/**
 * A program that crashes must not be restarted for ever, as the original operators do by default: the caller of a builder
 * waits for an outcome. Failures are retried where an option asks for that: a number of restarts, elastic nodes, or a
 * policy of restarts.
 */
function restartsOf(kind: BuilderKind, { restartPolicy, backoffLimit, elastic, policy }: Fields): Fields {
  if (restartPolicy !== undefined) return {};
  const isRetried = Boolean(backoffLimit) || elastic !== undefined || asFields(policy).restart !== undefined;
  return isRetried
    ? { restartPolicy: 'OnFailure', backoffLimit: backoffLimit ?? RESTARTS }
    : { restartPolicy: 'Never', backoffLimit: backoffLimit ?? kind.backoffLimitOfNever };
}

const hasRole = ({ onlyWith, unless, replicas }: BuilderRole, values: Fields): boolean =>
  (onlyWith === undefined || values[onlyWith] !== undefined) &&
  (unless === undefined || values[unless] === undefined) &&
  countOf(replicas, values) > 0;

const countOf = ({ of = '', less = 0, least = 0, most = Infinity }: RoleSize, values: Fields): number =>
  Math.min(Math.max(Number(values[of] ?? 0) - less, least), most);

/** A role whose pods have one container, of the name that the kind looks for. */
function roleOf(role: BuilderRole, options: BuilderOptions, values: Fields): object {
  const left = Object.entries(values).filter(([name]) => !role.without?.includes(name));
  const { role: own, pod, container } = written(placesOf(options, Object.fromEntries(left)));
  const spec = { ...asFields(pod), containers: [{ name: role.container, ...asFields(container) }] };
  return { replicas: countOf(role.replicas, values), ...asFields(own), template: { spec } };
}

/** What a runtime's replicated job of that name gets; undefined if that is nothing. */
function patchOf({ name, container: called }: BuilderRole, options: BuilderOptions, values: Fields): unknown {
  const { pod, container } = written(placesOf(options, values));
  if (!pod && !container) return undefined;
  const containers = container ? { containers: [{ name: called, ...asFields(container) }] } : {};
  const template = { spec: { ...asFields(pod), ...containers } };
  const replicatedJobs = [{ name, template: { spec: { template } } }];
  return [{ manager: PATCHED_BY, trainingRuntimeSpec: { template: { spec: { replicatedJobs } } } }];
}

const PATCHED_BY = 'signalbox.dev/builder';

interface PlacedValue {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Returns where each value goes, and in which form. */
function placesOf(options: BuilderOptions, values: Fields): readonly PlacedValue[] {
  return Object.entries(options).flatMap(([name, { at = [], fields = {} }]) => {
    const value = values[name];
    const own = at.map((place) => ({ path: place.path, value: formOf(place, value, values) }));
    return value === undefined ? [] : [...own, ...placesOf(fields, asFields(value))];
  });
}

function formOf({ form, value: fixed }: ManifestPlace, value: unknown, values: Fields): unknown {
  if (fixed !== undefined) return value === false ? undefined : structuredClone(fixed);
  return form ? FORMS[form](value, values) : structuredClone(value);
}

const FORMS: Readonly<Record<Form, (value: unknown, values: Fields) => unknown>> = {
  json: (value) => JSON.stringify(value),
  oneMore: (value) => Number(value) + 1,
  variables: (value) => listOf(value, ([name, text]) => ({ name, value: text })),
  claims: (value) => listOf(value, ([claimName], name) => ({ name, persistentVolumeClaim: { claimName } })),
  mounts: (value) => listOf(value, ([, mountPath], name) => ({ name, mountPath })),
  memory: (sizeLimit) => [{ name: 'shm', emptyDir: { medium: 'Memory', sizeLimit } }],
  gpus: (count, { gpuResource = 'nvidia.com/gpu' }) => (count ? { [String(gpuResource)]: count } : undefined),
};

/** A claim's name may be longer than that of a volume, or taken by /dev/shm. */
function listOf(value: unknown, item: (entry: [string, unknown], volume: string) => object) {
  const items = Object.entries(asFields(value)).map((entry, index) => item(entry, `volume-${index}`));
  return items.length > 0 ? items : undefined;
}

const written = (places: readonly PlacedValue[], whole: Fields = {}): Fields =>
  places
    .filter(({ value }) => value !== undefined)
    .reduce<Fields>((parts, { path, value }) => asFields(withValue(parts, path, value)), whole);

/** Returns what was there with a value at a path in it, which is added to a list or to fields that are there. */
function withValue(before: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  const fields = asFields(before);
  if (step !== undefined) return { ...fields, [step]: withValue(fields[step], rest, value) };
  if (Array.isArray(before) && Array.isArray(value)) return [...before, ...value];
  return isFields(before) && isFields(value) ? { ...before, ...value } : value;
}

/** Throws `InvalidManifestError` with each option that is absent, unknown or has a wrong value. */
function checkOptions(given: Fields, options: BuilderOptions): void {
  const absent = Object.entries(options).filter(([name, { required }]) => required && !(name in given));
  const faults: Fault[] = [
    ...absent.map(([path, { rule }]) => ({ path, expected: rule.expected, got: 'nothing' })),
    ...Object.entries(given).flatMap(([path, value]) => faultOf(path, value, options)),
  ];
  if (faults.length > 0) throw new InvalidManifestError(faults, [], { of: 'options' });
}

function faultOf(path: string, value: unknown, options: BuilderOptions): Fault[] {
  const rule = Object.hasOwn(options, path) ? options[path]!.rule : undefined;
  if (rule && isMet(rule, value)) return [];
  return [{ path, expected: rule?.expected ?? oneOf(Object.keys(options), path), got: shownOption(value) }];
}

function oneOf(known: readonly string[], given: string): string {
  const meant = didYouMean(nearest(given, known));
  return `one of the options ${known.join(', ')}${meant && ` (${meant})`}`;
}

const shownOption = (value: unknown): string => truncate(JSON.stringify(value) ?? String(value), 80);
