import { beforeAll, describe, expect, test } from '@jest/globals';
import { InvalidManifestError } from '../../client/errors/errors.ts';
import { planRerun } from '../../client/use-cases/rerun/rerun-manifest.ts';
import type { RerunChanges } from '../../client/use-cases/rerun/rerun-options.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import { findPython, PythonEnvironment, SET_UP_MS } from './environment.ts';

/** Python makes the manifests of reruns that TypeScript makes, and refuses what that refuses. */

const TEMPLATE = {
  spec: { containers: [{ name: 'pytorch', image: 'train:1', env: [{ name: 'LR', value: '0.1' }] }] },
};
const MANIFEST = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'PyTorchJob',
  metadata: {
    name: 'train',
    namespace: 'ml',
    uid: '1-2-3',
    labels: { team: 'nlp' },
    annotations: {
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
      'example.com/dataset': 's3://data/1',
      ...Object.fromEntries(Object.values(ANNOTATIONS).map((name) => [name, `text of ${name}`])),
      [ANNOTATIONS.policy]:
        'restart:\n  backOff:\n    max: 5m\nprogress:\n  log: "step=(\\\\d+): .*"\n  stalledAfter: 10m\n',
      [ANNOTATIONS.gang]: 'native',
      [ANNOTATIONS.inputs]: '- name: data\n  uri: s3://data/1\n',
      [ANNOTATIONS.outputs]: '- name: model\n  uri: s3://models/1\n',
    },
  },
  spec: {
    unheardOf: true,
    pytorchReplicaSpecs: { Master: { template: TEMPLATE }, Worker: { replicas: 2, template: TEMPLATE } },
  },
  status: { conditions: [{ type: 'Running' }] },
};
const REVISIONS = [
  { number: 2, replicas: { Master: 1, Worker: 3 } },
  { number: 3, replicas: { Master: 1, Worker: 3 }, policy: 'scaleByRestart: true\n' },
];

const worker = 'spec.pytorchReplicaSpecs.Worker';
const policy = 'metadata.annotations[signalbox.dev/policy]';
const container = `${worker}.template.spec.containers[pytorch]`;

const MADE: readonly RerunChanges[] = [
  {},
  { revision: 2 },
  { revision: 3, name: 'train-2' },
  { set: { 'spec.pytorchReplicaSpecs.worker.replicas': 4, 'spec.runPolicy.backoffLimit': 3 } },
  { set: { [`${container}.image`]: 'train:2', [`${container}.env[LR].value`]: '0.2' } },
  {
    set: {
      [`${container}.env[+]`]: { name: 'SEED', value: '1' },
      [`${container}.resources.limits.nvidia.com/gpu`]: 2,
    },
  },
  { set: { [`${container}.env[0]`]: null, 'metadata.labels.app.kubernetes.io/part-of': 'digits' } },
  { set: { 'metadata.labels.team': null, [`${worker}.template.metadata.labels.a.b/c`]: 'd' } },
  { set: { [`${policy}.restart.backOff.max`]: '10m', [`${policy}.nodes.lostAfter`]: '90' } },
  {
    set: {
      [`${policy}.failures.rules`]: [
        { class: 'quoted', pattern: 'a "quoted" word: here' },
        { class: 'both', pattern: `it's "both" # or not` },
        { class: 'no', pattern: 'first\nsecond', exitCodes: [42, '100-120', '7'] },
        {
          class: 'words',
          pattern: 'yes',
          reasons: ['null', '~', ' a ', '- b', 'ü', '2026-11-23', '0x1f'],
        },
      ],
    },
  },
  { set: { [`${policy}.restart.backOff`]: null, [`${policy}.scaleByRestart`]: true } },
  { set: { [`${policy}.restart.ladder`]: [{ scope: 'pod', times: 2 }, { scope: 'gang' }] } },
  {
    set: [
      { path: `${container}.args[+]`, value: 'one' },
      { path: `${container}.args[+]`, value: 'yes' },
    ],
  },
];

/** Both give the same words: what changes themselves can be wrong about. */
const REFUSED_ALIKE: readonly RerunChanges[] = [
  { revision: 4 },
  { set: { 'spec.runPolicy[': 3 } },
  { set: { 'metadata.name': 'other' } },
  { set: { 'status.conditions': [] } },
  { set: { [`${worker}.template.spec.containers[pytorhc].image`]: 'a' } },
  { set: { [`${worker}.template.spec.containers[7].image`]: 'a', [`${container}.env[LRR].value`]: '1' } },
  { set: { 'metadata.labels.taem': null } },
  { set: { 'metadata.labels.team.deeper': 1, 'spec.unheardOf.deeper': 1 } },
  { set: { [`${policy}.restart.ladder[0].times`]: 3 } },
];

/** Both refuse these; Python knows the schema, and TypeScript the rules of the engine. */
const REFUSED: readonly (readonly [RerunChanges, string])[] = [
  [{ set: { [`${worker}.replicas`]: 'four' } }, `${worker}.replicas`],
  [{ set: { [`${worker}.replcas`]: 4 } }, `${worker}.replcas`],
  [{ set: { [`${policy}.restart.backof.max`]: '5m' } }, `${policy}.restart.backof`],
  [{ name: 'Train_2' }, 'metadata.name'],
];

const PROGRAM = `
import json, sys
from signalbox import InvalidManifestError
from signalbox._recorded_source import RecordedRevision, RecordedSource
from signalbox._rerun import RerunSource, plan_rerun

given = json.loads(sys.argv[1])
revisions = [RecordedRevision(one["number"], one["replicas"], one.get("policy")) for one in given["revisions"]]
source = RecordedSource(given["manifest"], "ml", revisions)
job = RerunSource("job/ml/train", "run-1", "train", "ml", source)

def answer(options):
    if isinstance(options.get("set"), list):
        options["set"] = [(edit["path"], edit["value"]) for edit in options["set"]]
    try:
        plan = plan_rerun(job, options)
        return {"manifest": plan.manifest, "parent": plan.parent.memo(), "revision": plan.revision, "revisions": plan.revisions}
    except InvalidManifestError as error:
        return {"faults": [[fault.path, fault.expected, fault.got] for fault in error.faults]}

print(json.dumps([answer(options) for options in given["changes"]]))
`;

async function inTypeScript(changes: RerunChanges): Promise<object> {
  const job = {
    parent: { workflowId: 'job/ml/train', runId: 'run-1' },
    ...{ name: 'train', namespace: 'ml' },
    source: {
      manifest: MANIFEST,
      settings: { namespace: 'ml', conventions: { kubectlImage: 'kubectl' }, gangWarnings: [] },
      revisions: REVISIONS,
      extendedSeconds: 0,
    },
  };
  try {
    const { warnings: _, namespace: __, ...plan } = await planRerun(job, changes);
    return plan;
  } catch (error) {
    if (!(error instanceof InvalidManifestError)) throw error;
    return { faults: error.faults.map(({ path, expected, got }) => [path, expected, got]) };
  }
}

const optionsInPython = ({ name, ...changes }: RerunChanges) => ({
  ...changes,
  ...(name === undefined ? {} : { new_name: name }),
});

const python = await findPython();

(python ? describe : describe.skip)('the manifest of a rerun in Python', () => {
  const all = [...MADE, ...REFUSED_ALIKE, ...REFUSED.map(([changes]) => changes)];
  let answers: readonly { readonly faults?: readonly (readonly string[])[] }[];
  beforeAll(async () => {
    const environment = await PythonEnvironment.ensure(python!);
    const given = { manifest: MANIFEST, revisions: REVISIONS, changes: all.map(optionsInPython) };
    const { code, output } = await environment.run(['-c', PROGRAM, JSON.stringify(given)], {
      PYTHONPATH: 'src',
    });
    if (code !== 0) throw new Error(output);
    answers = JSON.parse(output) as typeof answers;
  }, SET_UP_MS);

  const answerTo = (changes: RerunChanges) => answers[all.indexOf(changes)]!;

  test.each(MADE)('is the same as in TypeScript: %j', async (changes) => {
    const expected = await inTypeScript(changes);
    expect(expected).toHaveProperty('manifest');
    expect(answerTo(changes)).toEqual(expected);
  });

  test.each(REFUSED_ALIKE)('is refused with the message of TypeScript: %j', async (changes) => {
    const expected = (await inTypeScript(changes)) as { readonly faults?: readonly (readonly string[])[] };
    expect(expected).toHaveProperty('faults');
    // The option has another name.
    const inPython = expected.faults!.map((fault) => fault.map((word) => word.replace('--name', 'new_name')));
    expect(answerTo(changes)).toEqual({ faults: inPython });
  });

  test.each(REFUSED)('is refused: %j', async (changes, path) => {
    expect(await inTypeScript(changes)).toMatchObject({
      faults: [[path, expect.anything(), expect.anything()]],
    });
    expect(answerTo(changes).faults?.map(([at]) => at)).toEqual([path]);
  });
});
