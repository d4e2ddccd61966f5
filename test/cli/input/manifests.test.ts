import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import type { Checked } from '../../../cli/validate/validation.ts';
import { shippedRuntime } from '../../../frameworks/kinds/train-job/shipped-runtimes.ts';
import { freePort } from '../../../worker/free-port.ts';
import { corpusFolder } from '../../corpus/corpus.ts';
import { commandLine } from '../in-process.ts';
import { withoutProgress } from '../process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-manifests-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function aFile(name: string, ...documents: object[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, documents.map((document) => JSON.stringify(document)).join('\n---\n'));
  return path;
}

const aJob = (name: string, spec: object = {}) => ({
  apiVersion: 'kubeflow.org/v1',
  kind: 'PyTorchJob',
  metadata: { name },
  spec: {
    pytorchReplicaSpecs: {
      worker: { template: { spec: { containers: [{ name: 'pytorch', image: 'a:1' }] } } },
    },
    ...spec,
  },
});
const aConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: {} };
const typo = { runPolicy: { cleanPodPolcy: 'All' } };
const hint =
  'spec.runPolicy.cleanPodPolcy: unknown field, ignored; did you mean cleanPodPolicy? kubectl apply refuses it';

describe('validate', () => {
  test('says for each document whether it is a job that can run', async () => {
    const path = await aFile('several.yaml', aJob('good'), aConfigMap, aJob('Bad', { nprocPerNode: 'all' }));
    const { code, stdout, stderr } = await commandLine(['validate', path, '-n', 'ml']);
    expect(stdout.replaceAll(`${folder}/`, '')).toBe(
      [
        'several.yaml, document 1: PyTorchJob ml/good: valid',
        'several.yaml, document 2: ConfigMap settings: not a job, skipped',
        'several.yaml, document 3: PyTorchJob Bad: 2 errors',
        '  metadata.name: expected a DNS label: lower-case letters, digits and -, starting with a letter, got "Bad"',
        '  spec.nprocPerNode: expected auto, cpu, gpu, xpu, npu, hpu, mtia, or a number >= 1, got "all"',
        '',
      ].join('\n'),
    );
    expect(withoutProgress(stderr)).toBe('1 valid, 1 with errors, 1 skipped\n');
    expect(code).toBe(4);
  });

  test('says of a TrainJob that it needs a runtime', async () => {
    const trainJob = {
      apiVersion: 'trainer.kubeflow.org/v1alpha1',
      kind: 'TrainJob',
      metadata: { name: 'a' },
    };
    const { code, stdout } = await commandLine(['validate', await aFile('trainer.yaml', trainJob)]);
    expect(stdout).toContain('spec.runtimeRef: expected an object, got nothing');
    expect(code).toBe(4);
  });

  test('checks a TrainJob with the runtime of another file, and warns where there is none', async () => {
    const runtime = { ...shippedRuntime('torch-distributed')!, metadata: { name: 'own' } };
    const trainJob = {
      apiVersion: 'trainer.kubeflow.org/v1alpha1',
      kind: 'TrainJob',
      metadata: { name: 'a' },
      spec: { runtimeRef: { name: 'own' }, trainer: { env: [{ name: 'PET_NNODES', value: '2' }] } },
    };
    const job = await aFile('job.yaml', trainJob);
    const alone = await commandLine(['validate', job]);
    expect([alone.code, alone.stdout]).toEqual([
      0,
      expect.stringContaining('was not checked, because ClusterTrainingRuntime own is not here'),
    ]);
    const both = await commandLine(['validate', job, await aFile('runtime.yaml', runtime)]);
    expect([both.code, both.stdout]).toEqual([
      4,
      expect.stringContaining('spec.trainer.env[0].name: expected another name: the runtime sets it'),
    ]);
  });

  test('refuses a manifest that is too large, by its size', async () => {
    const annotations = { note: 'x'.repeat(600_000) };
    const large = { ...aJob('large'), metadata: { name: 'large', annotations } };
    const { code, stdout } = await commandLine(['validate', await aFile('large.json', large)]);
    expect(stdout).toMatch(/\(manifest\): expected at most 524,288 bytes as JSON .*, got 600,\d+ bytes\n/);
    expect(code).toBe(4);
  });

  test('refuses an unknown field, and warns of it with --no-strict', async () => {
    const path = await aFile('typo.yaml', aJob('typo', typo));
    const lenient = await commandLine(['validate', path, '--no-strict']);
    expect(lenient).toMatchObject({ code: 0, stdout: expect.stringContaining(`  warning: ${hint}\n`) });
    const strict = await commandLine(['validate', path]);
    expect(strict.stdout).toContain(
      'spec.runPolicy.cleanPodPolcy: expected a known field (did you mean cleanPodPolicy?), got "All"',
    );
    expect(strict.code).toBe(4);
  });

  test('a file that cannot be read does not stop the check of the others', async () => {
    const path = await aFile('one.json', aJob('one'));
    const { code, stdout } = await commandLine(['validate', '/no/such.yaml', path, '-o', 'json']);
    const checked = JSON.parse(stdout) as Checked[];
    expect(checked).toMatchObject([
      { where: '/no/such.yaml', result: 'unreadable', problem: '/no/such.yaml: no such file.' },
      { where: path, title: 'PyTorchJob default/one', result: 'valid', faults: [], warnings: [] },
    ]);
    expect(code).toBe(2);
  });

  test('accepts a list, and standard input', async () => {
    const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [aJob('a'), aJob('b')] });
    const { code, stdout } = await commandLine(['validate', '-'], { stdin });
    expect(stdout).toMatch(/^standard input, item 1: .*valid\nstandard input, item 2: .*valid\n$/);
    expect(code).toBe(0);
  });

  test('with --server names the API server that does not answer', async () => {
    const server = `https://127.0.0.1:${await freePort()}`;
    const kubeconfig = await aFile('kubeconfig', {
      clusters: [{ name: 'c', cluster: { server } }],
      users: [{ name: 'u', user: { token: 't' } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    });
    const path = await aFile('one.json', aJob('one'));
    const { code, stderr } = await commandLine(['validate', path, '--server', '--kubeconfig', kubeconfig]);
    expect(stderr).toContain(`error: Kubernetes does not answer at ${server}.`);
    expect(code).toBe(12);
  });
});

describe('render', () => {
  const render = async (...args: string[]) => {
    const said = await commandLine(['render', ...args]);
    const documents = parseAllDocuments(said.stdout).map((document) => document.toJS());
    return { ...said, objects: documents.filter(Boolean) as { kind: string; metadata: { name: string } }[] };
  };

  test('prints documents for kubectl, with the defaults in a comment', async () => {
    const { stdout, objects, code } = await render(
      await aFile('elastic.yaml', aJob('one', { elasticPolicy: {} })),
    );
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'Service one-worker-0',
      'Pod one-worker-0',
    ]);
    expect(stdout).toContain(
      [
        '# PyTorchJob default/one, attempt 1, without gang scheduling',
        '# Worker: replicas 1, restartPolicy OnFailure',
        '# cleanPodPolicy: None',
        '# nprocPerNode: auto',
        '# elasticPolicy: {"minReplicas":1,"maxReplicas":1}',
        '# Not shown: the ConfigMap one.signalbox, which records the job, and the owner references to it.',
      ].join('\n'),
    );
    expect(stdout).not.toContain('ownerReferences');
    expect(code).toBe(0);
  });

  test('can render for a gang scheduler, a later attempt and a namespace', async () => {
    const path = join(corpusFolder('valid'), 'xgboost-tracker.yaml');
    const { objects } = await render(path, '--gang', 'volcano', '--attempt', '2', '-n', 'crm');
    expect(objects[0]).toMatchObject({
      apiVersion: 'scheduling.volcano.sh/v1beta1',
      metadata: { name: 'churn.2', namespace: 'crm', labels: { 'signalbox.dev/attempt': '2' } },
    });
  });

  test('prints a list of all jobs as JSON, and says what it leaves out', async () => {
    const path = await aFile('two.yaml', aJob('a'), aConfigMap, aJob('b'));
    const { stdout, stderr } = await commandLine(['render', path, '-o', 'json']);
    const { kind, items } = JSON.parse(stdout) as { kind: string; items: { kind: string }[] };
    expect([kind, ...items.map((item) => item.kind)]).toEqual(['List', 'Service', 'Pod', 'Service', 'Pod']);
    expect(stderr).toContain('two.yaml, document 2: ConfigMap settings is not a job; skipped\n');
  });

  test('prints no keys, and keeps file modes as numbers', async () => {
    const { stdout, objects } = await render(join(corpusFolder('valid'), 'mpi-v2-openmpi.yaml'));
    expect(objects.find(({ kind }) => kind === 'Secret')).toMatchObject({
      stringData: { 'ssh-privatekey': 'created when the job starts' },
    });
    expect(stdout).toContain('# The keys of the Secret monte-carlo-ssh are generated');
  });

  test('renders what workers with the same configuration would create', async () => {
    const path = join(corpusFolder('valid'), 'tensorflow-multi-worker.yaml');
    const { stdout } = await commandLine(['render', path], {
      env: { SIGNALBOX_CLUSTER_DOMAIN: 'train.local' },
    });
    expect(stdout).toContain('multi-worker-worker-0.default.svc.train.local:2222');
  });

  test('refuses faulty manifests, with all faults of each document', async () => {
    const path = await aFile('bad.yaml', aJob('A'), aJob('b', typo));
    const { code, stdout, stderr } = await commandLine(['render', path]);
    expect(stdout).toBe('');
    expect(stderr).toContain('bad.yaml, document 1: metadata.name: expected a DNS label');
    expect(stderr).toContain('bad.yaml, document 2: spec.runPolicy.cleanPodPolcy: expected a known field');
    expect(code).toBe(4);
  });
});

describe('submit, before it asks a server,', () => {
  const submit = async (path: string, ...args: string[]) =>
    commandLine(['submit', path, ...args], { env: { TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}` } });

  test('refuses unknown fields, unless it is told to accept them', async () => {
    const path = await aFile('typo.yaml', aJob('typo', typo));
    const strict = await submit(path);
    expect(strict).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('did you mean cleanPodPolicy?'),
    });
    expect(strict.stderr).toContain('--no-strict (`strict: false`) accepts unknown fields.');
    expect(await submit(path, '--no-strict')).toMatchObject({
      code: 12,
      stderr: expect.stringContaining(hint),
    });
  });

  test('refuses all jobs if one has faults', async () => {
    expect(await submit(await aFile('one-bad.yaml', aJob('good'), aJob('Bad')))).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('one-bad.yaml, document 2: metadata.name'),
    });
  });

  test.each(['--workflow-id=mine', '--follow'])('refuses %s for several jobs', async (flag) => {
    const path = await aFile('two.yaml', aJob('a'), aJob('b'));
    expect(await submit(path, flag)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${flag.split('=')[0]} takes one job, got 2.`),
    });
  });

  test('refuses generated names of several jobs with one key, from which they would follow', async () => {
    const generated = { ...aJob('a'), metadata: { generateName: 'trial-' } };
    const path = await aFile('generated.yaml', aJob('a'), generated);
    expect(await submit(path, '--key', 'one')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining(
        'document 2: metadata.name: expected a name, as several jobs have this key, got a generateName',
      ),
    });
  });

  test('says that a file has no job', async () => {
    expect(await submit(await aFile('none.yaml', aConfigMap))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /none\.yaml: expected a job, got ConfigMap settings\.\nsignalbox starts jobs; `kubectl apply -f \S+none\.yaml` creates other objects\./,
      ),
    });
  });
});

describe('a manifest of another namespace than --namespace', () => {
  const elsewhere = (name: string) => ({ ...aJob(name), metadata: { name, namespace: 'team-a' } });
  const sentence =
    'document 2: metadata.namespace: expected "ml", as --namespace says, or none, got "team-a"';

  test.each([['submit'], ['apply', '-f'], ['render'], ['why', '-f']])(
    'is refused by %s',
    async (...command) => {
      const path = await aFile('elsewhere.yaml', aJob('a'), elsewhere('b'));
      const { code, stderr } = await commandLine([...command, path, '-n', 'ml']);
      expect(stderr).toContain(sentence);
      expect(code).toBe(4);
    },
  );

  test('is found by validate', async () => {
    const path = await aFile('elsewhere.yaml', aJob('a'), elsewhere('b'));
    const { code, stdout } = await commandLine(['validate', path, '-n', 'ml']);
    expect(stdout).toContain('metadata.namespace: expected "ml", as --namespace says, or none, got "team-a"');
    expect(code).toBe(4);
  });

  test('keeps its own where only the settings name one', async () => {
    const path = await aFile('one.yaml', elsewhere('b'));
    const { stdout } = await commandLine(['validate', path], { env: { SIGNALBOX_NAMESPACE: 'ml' } });
    expect(stdout).toContain('PyTorchJob team-a/b: valid');
  });
});
