import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SignalboxClient } from '../../client/client.ts';
import { Engine } from '../../demo/engine.ts';
import { simulatedJob } from './manifests.ts';
import { openStage, type Stage, untilObjects, untilPhase } from './stage.ts';

const CONVERTER = fileURLToPath(new URL('./encrypting-converter.mjs', import.meta.url));

let stage: Stage;
let engine: Engine;
let client: SignalboxClient;

beforeAll(async () => {
  stage = await openStage();
  const logFile = join(stage.sandbox.dir, 'engines', `${stage.namespace}.log`);
  engine = await new Engine('up', stage.sandbox, { logFile }).start({ SIGNALBOX_DATA_CONVERTER: CONVERTER });
  client = await SignalboxClient.connect({
    temporal: { address: stage.sandbox.temporalAddress, namespace: 'default', dataConverter: CONVERTER },
    namespace: stage.namespace,
  });
});

afterAll(async () => {
  await client.close();
  await engine.stop();
  await stage.close();
});

it('a job runs with payloads that Temporal cannot read', async () => {
  const annotations = { 'example.com/note': 'a secret of the manifest' };
  const runPolicy = { cleanPodPolicy: 'All' };
  const manifest = simulatedJob({ name: 'sealed', namespace: stage.namespace, annotations, runPolicy });
  const job = await client.submit(manifest);
  await untilPhase(job, 'Running');
  expect((await client.submit(manifest)).submission).toBe('already-running');
  await stage.endPod('sealed-master-0', { exitCode: 0 });
  expect((await job.wait()).phase).toBe('Completed');
  await untilObjects(stage, ['ConfigMap/sealed.signalbox']);

  // Read by somebody without the key.
  const { events } = await stage.temporal.workflow.getHandle(job.workflowId).fetchHistory();
  const written = JSON.stringify(events);
  const decoded = [...written.matchAll(/"(encoding|data)":"([^"]*)"/g)].map(
    ([, field, value]) => [field, Buffer.from(value!, 'base64').toString('latin1')] as const,
  );
  const texts = decoded.map(([, text]) => text);
  expect(texts).toContain('binary/encrypted');
  for (const word of ['a secret of the manifest', 'pytorchReplicaSpecs']) {
    expect(texts.some((text) => text.includes(word))).toBe(false);
  }
});
