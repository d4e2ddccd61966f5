import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../eventually.ts';
import { type ActivityStage, openActivityStage } from './activity-stage.ts';

let stage: ActivityStage;

beforeAll(async () => {
  stage = await openActivityStage();
});

afterAll(() => stage.close());

const FOLDER = '/tmp/signalbox-checkpoint';
const POLICY = `checkpoint: { file: ${FOLDER}/asked }`;
/** Ends with 7 as soon as it is asked; not at all if the file is not empty at first. */
const PROGRAM = `test -s ${FOLDER}/asked && sleep 600; echo empty; until test -s ${FOLDER}/asked; do sleep 0.1; done; exit 7`;

async function logOf(pod: string): Promise<string> {
  let log = '';
  for await (const chunk of await stage.cluster.log(stage.namespace, pod)) log += chunk;
  return log;
}

it('a program finds the file of its policy empty until a checkpoint is requested', async () => {
  const containers = [{ name: 'pytorch', image: 'none', command: ['sh', '-c', PROGRAM] }];
  const template = { spec: { nodeSelector: { 'kubernetes.io/hostname': 'local' }, containers } };
  const run = await stage.admit({
    apiVersion: 'kubeflow.org/v1',
    kind: 'PyTorchJob',
    metadata: { name: 'asked', namespace: stage.namespace, annotations: { 'signalbox.dev/policy': POLICY } },
    spec: { pytorchReplicaSpecs: { Worker: { replicas: 2, restartPolicy: 'Never', template } } },
  });
  await stage.start(run, 1);
  const ask = () => stage.as((all) => all.requestCheckpoint({ ...run, attempt: 1 }));
  const askedAt = async () =>
    (await stage.pods('asked')).map(({ metadata }) => metadata.annotations?.['signalbox.dev/checkpoint']);

  await eventually('both programs have found it empty', async () => {
    const logs = await Promise.all((await stage.pods('asked')).map(({ metadata }) => logOf(metadata.name)));
    return logs.every((log) => log.includes('empty'));
  });
  const { resourceVersion } = await ask();
  expect(resourceVersion).toBeGreaterThan(0);
  const first = await askedAt();
  expect(first).toEqual([expect.any(String), expect.any(String)]);

  await ask();
  expect(await askedAt()).toEqual(first);
  await eventually('both programs have seen it', async () => {
    const pods = await stage.pods('asked');
    return pods.every(({ status }) => status?.containerStatuses?.[0]?.state?.terminated?.exitCode === 7);
  });
});
