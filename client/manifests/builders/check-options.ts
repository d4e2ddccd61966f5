import type { Fault } from '../../../contracts/faults.ts';
import { parseQuantity } from '../../../contracts/quantity.ts';
import { CLEAN_POD_POLICIES, GANG_CHOICES, JOB_RESTART_POLICIES } from '../../../contracts/training-job.ts';
import { isFields } from '../../../language/fields.ts';
import { truncate } from '../../../language/shorten.ts';
import { InvalidManifestError } from '../../errors/errors.ts';

/** What a value must be, and how an error words it. */
export interface OptionRule {
  readonly expected: string;
  isMet(value: unknown): boolean;
}

type OptionRules = Readonly<Record<string, OptionRule>>;

/** Throws `InvalidManifestError` with each option that is absent, unknown or has a wrong value. */
export function checkOptions(options: object, rules: OptionRules, required: readonly string[]): void {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const absent = required.filter((name) => !given.some(([option]) => option === name));
  const faults: Fault[] = [
    ...absent.map((path) => ({ path, expected: rules[path]!.expected, got: 'nothing' })),
    ...given.flatMap(([path, value]) => faultOf(path, value, rules)),
  ];
  if (faults.length > 0) throw new InvalidManifestError(faults, [], { of: 'options' });
}

function faultOf(path: string, value: unknown, rules: OptionRules): Fault[] {
  const rule = Object.hasOwn(rules, path) ? rules[path] : undefined;
  if (rule?.isMet(value)) return [];
  const expected = rule?.expected ?? `one of the options ${Object.keys(rules).join(', ')}`;
  return [{ path, expected, got: shownOption(value) }];
}

const shownOption = (value: unknown): string => truncate(JSON.stringify(value) ?? String(value), 80);

export const integerFrom = (least: number): OptionRule => ({
  expected: `an integer >= ${least}`,
  isMet: (value) => Number.isSafeInteger(value) && Number(value) >= least,
});

export const oneOfWords = (words: readonly unknown[]): OptionRule => ({
  expected: `one of ${words.join(', ')}`,
  isMet: (value) => words.includes(value),
});

export const TEXT: OptionRule = {
  expected: 'a non-empty text',
  isMet: (value) => typeof value === 'string' && value !== '',
};

export const TEXTS: OptionRule = {
  expected: 'a list of texts',
  isMet: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
};

export const BOOLEAN: OptionRule = {
  expected: 'true or false',
  isMet: (value) => typeof value === 'boolean',
};

const NAME: OptionRule = {
  expected: 'a DNS label: at most 63 lower-case letters, digits and -, starting with a letter',
  isMet: (value) => typeof value === 'string' && /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/.test(value),
};

const TEXT_BY_NAME: OptionRule = {
  expected: 'an object of texts',
  isMet: (value) => isFields(value) && Object.values(value).every((item) => typeof item === 'string'),
};

const QUANTITY: OptionRule = {
  expected: 'a quantity > 0, e.g. 4, 500m or 8Gi',
  isMet: (value) =>
    (typeof value === 'string' || typeof value === 'number') && (parseQuantity(value)?.nanos ?? 0n) > 0n,
};

const PATHS: OptionRule = {
  expected: 'an object of absolute paths, by the name of a PersistentVolumeClaim',
  isMet: (value) =>
    isFields(value) && Object.values(value).every((path) => typeof path === 'string' && path.startsWith('/')),
};

const OBJECT: OptionRule = { expected: 'an object', isMet: isFields };

/** Rules of `AnyJobOptions`. */
export const POD_RULES = {
  name: NAME,
  namespace: NAME,
  image: TEXT,
  command: TEXTS,
  args: TEXTS,
  env: TEXT_BY_NAME,
  gpusPerNode: integerFrom(0),
  gpuResource: TEXT,
  cpu: QUANTITY,
  memory: QUANTITY,
  shm: QUANTITY,
  volumes: PATHS,
  nodeSelector: TEXT_BY_NAME,
  labels: TEXT_BY_NAME,
  annotations: TEXT_BY_NAME,
  policy: OBJECT,
  gang: oneOfWords(GANG_CHOICES),
} as const satisfies OptionRules;

/** Rules of `JobOptions`. */
export const JOB_RULES = {
  ...POD_RULES,
  restartPolicy: oneOfWords(JOB_RESTART_POLICIES),
  backoffLimit: integerFrom(0),
  deadlineSeconds: integerFrom(1),
  ttlSeconds: integerFrom(0),
  cleanPodPolicy: oneOfWords(CLEAN_POD_POLICIES),
  suspend: BOOLEAN,
} as const satisfies OptionRules;

/** Options that every builder needs. */
export const ALWAYS = ['name', 'image'] as const;
