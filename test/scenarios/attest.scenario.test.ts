import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sandboxLayout } from '@signalbox/sandbox';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { PODS } from '../../contracts/kubernetes.ts';
import type { InTotoStatement, ResourceDescriptor } from '../../record/attest/in-toto.ts';
import { signalbox } from '../cli/process.ts';
import { eventually } from '../eventually.ts';
import { KEY_PAIRS } from '../record/attest/a-job.ts';
import { type ArchiveStage, openArchiveStage } from './archive-stage.ts';
import { untilAttempt } from './attempts.ts';
import { type Manifest, simulatedJob, withPolicy } from './manifests.ts';
import { type Stage, untilPhase } from './stage.ts';

/** What is attested of a job with restarts and an amendment. */

let on: ArchiveStage;
let stage: Stage;
let folder: string;

beforeAll(async () => {
  on = await openArchiveStage();
  stage = on.stage;
  folder = await mkdtemp(join(tmpdir(), 'signalbox-attest-'));
  const { privateKey, publicKey } = KEY_PAIRS.Ed25519;
  await writeFile(join(folder, 'key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await writeFile(join(folder, 'pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  await on.engine().start(on.settings);
});

afterAll(async () => {
  await on?.close();
  await rm(folder, { recursive: true, force: true });
});

const DIGESTS = { corpus: 'd'.repeat(64), image: 'c'.repeat(64) };

function aManifest(name: string): Manifest {
  const { metadata, ...manifest } = withPolicy(
    simulatedJob({ name, namespace: stage.namespace, runPolicy: { cleanPodPolicy: 'None' } }),
    { restart: { ladder: [{ scope: 'gang' }], backOff: { initial: '0s' } } },
  );
  const annotations = {
    ...(metadata.annotations as object),
    'signalbox.dev/inputs': `[{name: corpus, uri: "s3://data/corpus", digest: "sha256:${DIGESTS.corpus}"}]`,
    'signalbox.dev/outputs': '[{name: model, uri: "s3://models/train"}]',
  };
  return { ...manifest, metadata: { ...metadata, annotations } };
}

const attest = (...args: readonly string[]) => {
  const env = { ...on.settings, SIGNALBOX_EVIDENCE_DIR: sandboxLayout(stage.sandbox.dir).evidence };
  return signalbox(['attest', ...args], { env });
};

/** Simulated nodes report no image: this writes what a kubelet would. */
async function reportImages(job: string): Promise<void> {
  const imageID = `registry.example/train@sha256:${DIGESTS.image}`;
  for (const { metadata, status } of await stage.pods(job)) {
    const containerStatuses = status!.containerStatuses!.map((one) => ({ ...one, imageID }));
    const target = { namespace: stage.namespace, name: metadata.name, subresource: 'status' } as const;
    await stage.cluster.patch(PODS, target, {
      metadata: { uid: metadata.uid },
      status: { containerStatuses },
    });
  }
}

async function trained(name: string): Promise<JobHandle> {
  const job = await on.client.submit(aManifest(name));
  await untilPhase(job, 'Running');
  await reportImages(name);
  await job.amendPolicy({ policy: { nodes: { lostAfter: '10m' } }, by: 'ana', why: 'slow nodes' });
  await stage.endPod(`${name}-worker-0`, { exitCode: 9 });
  await untilAttempt(job, 2);
  await stage.endPod(`${name}-master-0`, { exitCode: 0 });
  expect((await job.wait()).phase).toBe('Completed');
  return job;
}

const named = (all: readonly ResourceDescriptor[], name: string) => all.find((one) => one.name === name);

it('a running job is not attested: the refusal says why', async () => {
  const job = await on.client.submit(simulatedJob({ name: 'runs', namespace: stage.namespace }));
  await untilPhase(job, 'Running');
  const { code, stderr } = await attest('runs', '-n', stage.namespace);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('has not ended') });
  await job.stop({});
});

it('a closed job is attested with images, amendments, inputs and its ledger', async () => {
  await trained('train');
  const [out, ledger] = [join(folder, 'train.json'), join(folder, 'ledger.jsonl')];
  const asked = [
    'train',
    '-n',
    stage.namespace,
    '--key',
    join(folder, 'key'),
    '--ledger',
    ledger,
    '--out',
    out,
  ];
  expect(await attest(...asked)).toMatchObject({ code: 0, stderr: '' });
  const verified = await attest(
    'verify',
    out,
    '--public-key',
    join(folder, 'pub'),
    '--ledger',
    ledger,
    '-o',
    'json',
  );
  expect(verified.code).toBe(0);
  const { predicate } = JSON.parse(verified.stdout) as InTotoStatement;
  const { resolvedDependencies, externalParameters } = predicate.buildDefinition;
  expect(named(resolvedDependencies, 'input corpus')).toMatchObject({ digest: { sha256: DIGESTS.corpus } });
  const images = resolvedDependencies.filter(({ name }) => name === 'image train:1');
  // The simulated node replaces the whole status of the pod that fails.
  expect(images).toMatchObject([
    { annotations: { imageIDIs: 'not reported', attempts: [1, 2], pods: 4 } },
    { digest: { sha256: DIGESTS.image }, annotations: { attempts: [1], pods: 2 } },
  ]);
  expect(externalParameters.revisions).toMatchObject([
    { request: 'amendPolicy', asked: { policy: { nodes: { lostAfter: '10m' } } }, who: { given: 'ana' } },
  ]);
  const outcome = named(predicate.runDetails.byproducts, 'outcome');
  expect(outcome?.annotations).toMatchObject({ phase: 'Completed', attempt: 2, restarts: 1 });
  const pods = named(predicate.runDetails.byproducts, 'pods.jsonl');
  expect(pods?.annotations).toMatchObject({ pods: 6, attemptsWithoutRecord: [] });
  const lines = (await readFile(ledger, 'utf8')).trimEnd().split('\n');
  expect(JSON.parse(lines[0]!)).toMatchObject({ seq: 1, cause: { type: 'submitted' } });
});

/** Everything but where it was read. */
async function statementOf(
  ...asked: readonly string[]
): Promise<{ readonly statement: object; readonly from: string }> {
  const { code, stdout, stderr } = await attest(...asked);
  if (code !== 0) throw new Error(stderr);
  const statement = JSON.parse(stdout) as InTotoStatement;
  const { byproducts } = statement.predicate.runDetails;
  const { readFrom, ...annotations } = named(byproducts, 'ledger.jsonl')!.annotations!;
  const others = byproducts.map((one) => (one.name === 'ledger.jsonl' ? { ...one, annotations } : one));
  const { runDetails, ...predicate } = statement.predicate;
  const same = {
    ...statement,
    predicate: { ...predicate, runDetails: { ...runDetails, byproducts: others } },
  };
  return { statement: same, from: String(readFrom) };
}

async function terminated(name: string): Promise<void> {
  const job = await on.client.submit(aManifest(name));
  await untilPhase(job, 'Running');
  await on.temporal.workflow.getHandle(job.workflowId).terminate('a test');
}

it.each([
  ['kept', trained],
  ['terminated', terminated],
] as const)(
  'the archive and the servers have the same statement, except for its source: %s',
  async (name, meetFate) => {
    await meetFate(name);
    const asked = [name, '-n', stage.namespace];
    const archived = await eventually('it is archived', () => statementOf(...asked, '--archived'));
    const { statement, from } = await statementOf(...asked);
    expect(archived.statement).toEqual(statement);
    expect(from).toBe(`temporal://${stage.sandbox.temporalAddress}/${on.temporalNamespace}`);
    expect(archived.from).toMatch(new RegExp(`^file:.*/jobs/namespace=.*/${name}-`));
  },
);
