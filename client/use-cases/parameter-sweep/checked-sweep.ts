import { setImmediate as otherWork } from 'node:timers/promises';
import { formatFault } from '../../../contracts/faults.ts';
import { ANNOTATIONS, LABELS } from '../../../contracts/labels.ts';
import { formatSteps, pathSteps } from '../../../contracts/manifest-path.ts';
import {
  DEFAULT_AT_MOST,
  isFieldPath,
  MOST_TRIALS,
  type ParameterSweep,
  type ParameterValues,
  type PlannedSweep,
} from '../../../contracts/parameter-sweep.ts';
import { parameterSweepSchema } from '../../../contracts/schemas/parameter-sweep.ts';
import type { Fault } from '../../../contracts/types.ts';
import { describeValue, faultsOf } from '../../../frameworks/fields/faults.ts';
import { faultOfUnknown, unknownFieldsOfSchema } from '../../../frameworks/fields/unknown-fields.ts';
import { asFields } from '../../../language/fields.ts';
import { InvalidManifestError } from '../../errors/errors.ts';
import { namedManifest } from '../../manifests/named-manifest.ts';
import { faultsOfChange } from '../../manifests/offline/faults-of-changes.ts';
import { type ManifestOptions, validateManifest } from '../../manifests/offline/validate.ts';
import { faultsOfNames, faultsOfValue, withQuotes } from '../../manifests/set-values.ts';
import { countCombinations } from './combinations.ts';
import { type Trial, trialAt } from './trial-manifest.ts';

/** Returns the sweep if it has the shape of one, its manifest with the namespace. Throws `InvalidManifestError`. */
export function sweepIn(input: unknown, namespace = 'default'): ParameterSweep {
  const parsed = parameterSweepSchema.safeParse(input);
  const unknown = unknownFieldsOfSchema(parameterSweepSchema, input, 'sweep').map(faultOfUnknown);
  if (!parsed.success) throw invalidSweep([...unknown, ...faultsOf(parsed.error, input)]);
  if (unknown.length > 0) throw invalidSweep(unknown);
  const named = namedManifest(parsed.data.manifest, namespace);
  if ('faults' in named) throw invalidSweep(named.faults);
  return { ...parsed.data, manifest: named.manifest };
}

/** Checks every trial before one is started. Throws `InvalidManifestError` with each fault, and the first trial that has it. */
export async function planSweep(sweep: ParameterSweep, options: ManifestOptions = {}): Promise<PlannedSweep> {
  const { manifest, set, atMost = DEFAULT_AT_MOST } = sweep;
  const trials = countCombinations(set);
  if (trials > MOST_TRIALS) throw invalidSweep([tooMany(trials)]);
  const faults = faultsOfParameters(manifest, set);
  if (faults.length > 0) throw invalidSweep(faults);
  const found = await faultsOfTrials(sweep, options);
  if (found.length > 0) throw invalidSweep(found);
  const { name, namespace } = asFields(manifest.metadata);
  return { name: String(name), namespace: String(namespace), trials, atMost };
}

const invalidSweep = (faults: readonly Fault[]) => new InvalidManifestError(faults, [], { of: 'sweep' });

const tooMany = (trials: number): Fault => ({
  path: 'set',
  expected: `at most ${MOST_TRIALS} combinations of all values`,
  got: String(trials),
});

/** Kinds of faults that are listed. */
const MOST_FAULTS = 10;
/** A check takes half a millisecond; the process has other work. */
const IN_A_ROW = 50;

async function faultsOfTrials(sweep: ParameterSweep, options: ManifestOptions): Promise<readonly Fault[]> {
  const known = new Map<string, Fault>();
  for (let index = 0; index < countCombinations(sweep.set) && known.size < MOST_FAULTS; index++) {
    if (index % IN_A_ROW === 0) await otherWork();
    const trial = trialAt(sweep, index);
    for (const fault of faultsOfTrial(trial, { sweep, options, isFirst: index === 0 })) {
      const text = formatFault(fault);
      if (!known.has(text)) known.set(text, { ...fault, path: `${titleOf(trial)}: ${fault.path}` });
    }
  }
  return [...known.values()];
}

interface About {
  readonly sweep: ParameterSweep;
  readonly options: ManifestOptions;
  readonly isFirst: boolean;
}

/** All trials change the same fields, so the paths of the first one are those of all. */
function faultsOfTrial(trial: Trial, { sweep, options, isFirst }: About): readonly Fault[] {
  if ('faults' in trial) return trial.faults;
  const { manifest: after, changed } = trial;
  const misspelt = isFirst ? faultsOfChange({ before: sweep.manifest, after, changed }, options) : [];
  if (misspelt.length > 0) return misspelt;
  const given = Object.values(trial.values).map(describeValue);
  return validateManifest(after, options).faults.map((fault) =>
    given.includes(fault.got) ? withQuotes(fault) : fault,
  );
}

const titleOf = ({ name, values }: Trial) =>
  `${name} (${Object.entries(values)
    .map(([parameter, value]) => `${parameter}=${typeof value === 'string' ? value : describeValue(value)}`)
    .join(', ')})`;

/** Returns the faults of parameters that no combination of their values can mend. */
function faultsOfParameters(manifest: unknown, set: ParameterValues): readonly Fault[] {
  const ofNames = faultsOfNames(manifest, Object.keys(set));
  const ofValues = Object.entries(set)
    .filter(([name]) => !isFieldPath(name) && !ofNames.some(({ path }) => path === `set.${name}`))
    .flatMap(([name, values]) => values.flatMap((value, index) => faultsOfValue(`${name}[${index}]`, value)));
  const ofFixed = Object.entries(set).flatMap(([path, values]) => faultsOfFixed(path, values));
  return [...ofFixed, ...ofNames, ...ofValues];
}

/** What the sweep decides or writes itself, by path. */
const FIXED: readonly (readonly [path: readonly string[], expected: string])[] = [
  [['metadata', 'namespace'], 'the namespace of the sweep, in which all its trials run'],
  [['metadata', 'generateName'], 'a name for the sweep, from which its trials have theirs'],
  [['metadata', 'labels', LABELS.sweep], 'a label of your own: the sweep writes this one'],
  [
    ['metadata', 'annotations', ANNOTATIONS.parameters],
    'an annotation of your own: the sweep writes this one',
  ],
];

/** A value may be a mapping that has what is fixed. */
function faultsOfFixed(path: string, values: readonly unknown[]): readonly Fault[] {
  const steps = isFieldPath(path) ? pathSteps(path) : undefined;
  if (!steps) return [];
  return FIXED.flatMap(([fixed, expected]) => {
    if (!steps.every((step, index) => step === fixed[index])) return [];
    const value = values.find((one) => valueBelow(one, fixed.slice(steps.length)) !== undefined);
    return value === undefined ? [] : [{ path: formatSteps(fixed), expected, got: describeValue(value) }];
  });
}

const valueBelow = (value: unknown, steps: readonly string[]): unknown =>
  steps.reduce((found, step) => asFields(found)[step], value);
