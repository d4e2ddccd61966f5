import { ANNOTATIONS } from '../../contracts/labels.ts';
import { formatSteps, pathSteps } from '../../contracts/manifest-path.ts';
import { roleKey } from '../../contracts/roles.ts';
import type { Fault } from '../../contracts/types.ts';
import { nearest } from '../../language/did-you-mean.ts';
import { type Fields, isFields } from '../../language/fields.ts';
import { didYouMean } from '../../language/meant.ts';
import { describeValue } from '../fields/faults.ts';
import { amendManifest } from './manifest-changes.ts';

/**
 * One change of a manifest.
 *
 * @public
 */
export interface ManifestEdit {
  /**
   * As errors write it: `spec.runPolicy.backoffLimit`, `…containers[pytorch].env[LR].value`. Items of a list are chosen by
   * index or name; `[+]` appends one. Below the policy’s annotation, the path goes on in the policy.
   */
  readonly path: string;
  /** null removes what is there. */
  readonly value: unknown;
}

/** A manifest with changes, or why it cannot have them. */
type EditedManifest =
  | {
      readonly manifest: unknown;
      /** The paths of the changes in the spelling of the manifest, without those in the policy. */
      readonly changed: readonly (readonly string[])[];
    }
  | { readonly faults: readonly Fault[] };

/**
 * Returns a manifest with changes. Mappings that are missing on the way are made: whether the manifest may have them is
 * for its validation to say. Items of lists must exist.
 */
export function editManifest(manifest: unknown, edits: readonly ManifestEdit[]): EditedManifest {
  const faults: Fault[] = [];
  const changed: string[][] = [];
  let edited = manifest;
  for (const edit of edits) {
    const steps = pathSteps(edit.path);
    try {
      if (!steps)
        throw new PathError(
          edit.path,
          'names separated by dots, e.g. spec.runPolicy.backoffLimit',
          edit.path,
        );
      refuseFixed(steps, edit.value);
      if (isInPolicy(steps)) edited = withPolicyField(edited, steps.slice(POLICY.length), edit.value);
      else {
        const place: string[] = [];
        edited = withValue(edited, { steps, place, value: edit.value });
        changed.push(place);
      }
    } catch (error) {
      if (!(error instanceof PathError)) throw error;
      faults.push(error.fault);
    }
  }
  return faults.length > 0 ? { faults } : { manifest: edited, changed };
}

class PathError extends Error {
  readonly fault: Fault;

  constructor(path: string, expected: string, got: unknown) {
    super(path);
    this.fault = { path, expected, got: describeValue(got) };
  }
}

const POLICY = ['metadata', 'annotations', ANNOTATIONS.policy];

const isInPolicy = (steps: readonly string[]) =>
  steps.length > POLICY.length && POLICY.every((step, index) => steps[index] === step);

/** What no change of a manifest can mean. */
function refuseFixed(steps: readonly string[], value: unknown): void {
  const path = formatSteps(steps);
  if (path === 'metadata.name') throw new PathError(path, 'the name by its own option, --name', value);
  if (steps[0] === 'status')
    throw new PathError(path, 'a field of the manifest; the job writes its status', value);
  if (steps[0] === 'env') {
    const name = steps.slice(1).join('.') || 'NAME';
    throw new PathError(
      path,
      `a variable by its name alone: --set ${name}=…, or --env ${name}=… of a rerun`,
      value,
    );
  }
}

/** Lists of a policy are replaced as a whole, as in an amendment. */
function withPolicyField(manifest: unknown, steps: readonly string[], value: unknown): unknown {
  const inList = steps.findIndex((step) => /^(\d+|\+)$/.test(step));
  if (inList >= 0) {
    const path = formatSteps([...POLICY, ...steps.slice(0, inList)]);
    throw new PathError(path, 'the whole list, as lists of a policy are replaced as a whole', value);
  }
  const policy = steps.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value);
  return amendManifest(manifest, { policy: policy as Fields });
}

interface Change {
  readonly steps: readonly string[];
  /** The steps taken so far, in the manifest's spelling. */
  readonly place: string[];
  readonly value: unknown;
}

function withValue(target: unknown, change: Change): unknown {
  const [step, ...steps] = change.steps;
  if (step === undefined) return change.value;
  const inner = { ...change, steps };
  if (Array.isArray(target)) return withItem(target, step, inner);
  if (target === undefined && step === '+') return withItem([], step, inner);
  if (target === undefined || target === null || isFields(target))
    return withField(target ?? {}, step, inner);
  throw new PathError(formatSteps(change.place), 'an object or a list', target);
}

function withField(target: Fields, step: string, change: Change): Fields {
  const key = keyIn(target, step, change.place.at(-1));
  change.place.push(key);
  const isRemoval = change.steps.length === 0 && change.value === null;
  const isThere = Object.hasOwn(target, key);
  if (!isRemoval) return { ...target, [key]: withValue(isThere ? target[key] : undefined, change) };
  if (!isThere) throw missing({ path: formatSteps(change.place), step: key }, Object.keys(target));
  const { [key]: _removed, ...others } = target;
  return others;
}

/** Names of roles match in any case, as everywhere. */
function keyIn(target: Fields, step: string, parent = ''): string {
  if (Object.hasOwn(target, step) || !parent.endsWith('ReplicaSpecs')) return step;
  return Object.keys(target).find((key) => roleKey(key) === roleKey(step)) ?? step;
}

function withItem(target: readonly unknown[], step: string, change: Change): readonly unknown[] {
  const index = indexIn(target, step, change.place);
  change.place.push(String(index));
  if (change.steps.length === 0 && change.value === null) return target.filter((_item, at) => at !== index);
  const item = withValue(target[index], change);
  return index === target.length ? [...target, item] : target.with(index, item);
}

function indexIn(target: readonly unknown[], step: string, place: readonly string[]): number {
  if (step === '+') return target.length;
  const names = target.map((item) => (isFields(item) ? String(item.name) : ''));
  const index = names.includes(step) ? names.indexOf(step) : /^\d+$/.test(step) ? Number(step) : -1;
  if (index >= 0 && index < target.length) return index;
  const path = `${formatSteps(place)}[${step}]`;
  throw missing({ path, step }, names.filter(Boolean), target.length);
}

/** Says what there is instead. */
function missing(
  { path, step }: { path: string; step: string },
  names: readonly string[],
  length?: number,
): PathError {
  const meant = didYouMean(nearest(step, names));
  const items =
    length === undefined
      ? ''
      : `${length === 0 ? 'an empty list' : `an index below ${length}`}, or [+] to append`;
  const named = names.length > 0 ? `one of ${names.join(', ')}` : '';
  const expected = [named, items].filter(Boolean).join(', ') || 'an existing field';
  return new PathError(path, `${expected}${meant && ` (${meant})`}`, step);
}
