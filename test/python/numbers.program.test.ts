import { beforeAll, describe, expect, test } from '@jest/globals';
import { parseYaml } from '../../cli/input/yaml-text.ts';
import { pytorchJob } from '../../client/manifests/builders/builders.ts';
import { startTexts } from '../../client/manifests/start-texts.ts';
import { findPython, PythonEnvironment, SET_UP_MS } from './environment.ts';

/** The Python package reads numbers in texts as TypeScript does: what the one takes for digits, the other must not refuse. */

const SIGNS = ['', '+', '-', ' '];
const NUMBERS = [
  '',
  '0',
  '8',
  '08',
  '0600',
  '1.5',
  '1.',
  '.5',
  '8.0',
  '0.0',
  '1_000',
  '0x10',
  '0x_',
  '0b_',
  '0b1',
];
const FOREIGN = [
  '²',
  '１',
  '٣',
  '८',
  'Ⅷ',
  '½',
  '8²',
  '1٣',
  'NaN',
  'nan',
  'inf',
  'Infinity',
  '.inf',
  '.nan',
  '~',
];
const ENDS = ['', 'k', 'Ki', 'Gi', 'gi', 'm', 'n', 'e2', 'E+3', 'e-3', 'e1234', 'e٣', ' ', '_', '０'];

const TEXTS = [...NUMBERS, ...FOREIGN].flatMap((number) =>
  SIGNS.flatMap((sign) => ENDS.map((end) => `${sign}${number}${end}`)),
);
const OTHERS = [0, 8, -1, 0.1, 1.5, 1e21, 1e-7, 2 ** 53, true, false, null];
const VALUES: readonly unknown[] = [...TEXTS, ...OTHERS];

const manifestWith = (quantity: unknown) => ({
  kind: 'PyTorchJob',
  metadata: { name: 'a', namespace: 'ml' },
  spec: {
    pytorchReplicaSpecs: {
      Worker: {
        replicas: 2,
        template: { spec: { containers: [{ image: 'i', resources: { limits: { 'x.y/gpu': quantity } } }] } },
      },
    },
  },
});

const ofBuilder = (memory: unknown): boolean => {
  try {
    pytorchJob({ name: 'a', image: 'i', nodes: 1, memory: memory as string });
    return true;
  } catch {
    return false;
  }
};

const ofScalar = async (text: string): Promise<unknown> => {
  try {
    const [{ a }] = (await parseYaml(`a: ${text}\n`, (place) => place)) as [{ a: unknown }];
    return typeof a === 'number' ? `number ${Number.isFinite(a) ? a : 'beyond'}` : a;
  } catch {
    return 'refused';
  }
};

const PROGRAM = `
import json, math, sys, yaml
from signalbox import InvalidManifestError, pytorch_job
from signalbox._manifest_hash import text_of_number
from signalbox._start_texts import start_texts
from signalbox._yaml import load_documents

def of_builder(memory):
    try:
        return bool(pytorch_job(name="a", image="i", nodes=1, memory=memory))
    except InvalidManifestError:
        return False

def of_scalar(text):
    try:
        [document] = load_documents(f"a: {text}\\n")
    except yaml.YAMLError:
        return "refused"
    value = document["a"]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    return f"number {text_of_number(value) if math.isfinite(value) else 'beyond'}"

texts, others, manifest = json.loads(sys.argv[1])

def of_start(value):
    return start_texts(json.loads(manifest.replace('"QUANTITY"', json.dumps(value))), "me", None)

print(json.dumps({
    "starts": [of_start(value) for value in [*texts, *others]],
    "builders": [of_builder(value) for value in [*texts, *others]],
    "scalars": [of_scalar(text) for text in texts],
}))
`;

const python = await findPython();

(python ? describe : describe.skip)('numbers in Python', () => {
  let found: Readonly<Record<'starts' | 'builders' | 'scalars', readonly unknown[]>>;

  beforeAll(async () => {
    const environment = await PythonEnvironment.ensure(python!);
    const given = JSON.stringify([TEXTS, OTHERS, JSON.stringify(manifestWith('QUANTITY'))]);
    const { code, output } = await environment.run(['-c', PROGRAM, given], { PYTHONPATH: 'src' });
    if (code !== 0) throw new Error(output);
    found = JSON.parse(output);
  }, SET_UP_MS);

  /** What differs, by what was given. */
  const differences = (given: readonly unknown[], ours: readonly unknown[], theirs: readonly unknown[]) =>
    given.flatMap((value, index) => {
      const [one, other] = [JSON.stringify(ours[index]), JSON.stringify(theirs[index])];
      return one === other ? [] : [`${JSON.stringify(value)}: ${one}, in Python ${other}`];
    });

  test('quantities of options are those of TypeScript', () => {
    // None is an option that is not given.
    const ours = VALUES.map((value) => value === null || ofBuilder(value));
    expect(differences(VALUES, ours, found.builders)).toEqual([]);
  });

  test('what Temporal shows of a job’s size is what TypeScript writes', () => {
    const starts = VALUES.map((value) => {
      const { staticSummary, staticDetails } = startTexts(manifestWith(value), { submittedBy: 'me' });
      return [staticSummary, staticDetails];
    });
    expect(differences(VALUES, starts, found.starts)).toEqual([]);
  });

  test('plain scalars of YAML are those of the command line', async () => {
    const scalars = await Promise.all(TEXTS.map(ofScalar));
    expect(differences(TEXTS, scalars, found.scalars)).toEqual([]);
  });
});
