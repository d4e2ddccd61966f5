import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.ts';
import { simulatedJob } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';
import { openTemporalCli, startByHand, type TemporalCli } from './temporal-cli.ts';

/** What somebody types wrong into Temporal's own command line is refused at once, with the sentences of signalbox. */

let stage: Stage;
let temporal: TemporalCli;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
  temporal = await openTemporalCli(stage);
});

afterAll(() => stage.close());

const refusalOf = (refused: Promise<unknown>): Promise<string> =>
  refused.then(
    () => 'nothing was refused',
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  );

const job = (name: string, fields: object = {}) =>
  JSON.stringify({ ...simulatedJob({ name, namespace: stage.namespace }), ...fields });

describe('a wrong start', () => {
  it.each<[what: string, input: () => string[], why: string, type?: string]>([
    ['no argument', () => [], 'manifest: expected one object, got nothing'],
    ['a text', () => ['"resnet"'], 'manifest: expected one object, got "resnet"'],
    ['a number', () => ['7'], 'manifest: expected one object, got 7'],
    ['a list', () => ['[]'], 'manifest: expected one object, got an empty list'],
    [
      'two arguments',
      () => [job('two'), '{}'],
      '(input): expected one argument, the manifest, got 2 arguments',
    ],
    [
      'the state of an earlier run',
      () => [job('forged'), '{"job":{},"terms":{}}'],
      '(input): expected one argument, the manifest, got 2 arguments',
    ],
    ['another kind', () => [job('other', { kind: 'Deployment' })], 'kind: expected one of PyTorchJob'],
    ['a misspelt kind', () => [job('misspelt', { kind: 'PytorchJob' })], 'did you mean PyTorchJob?'],
    ['a field that is missing', () => [job('bare', { spec: {} })], 'spec.pytorchReplicaSpecs: expected'],
    ['a misspelt type', () => [job('type')], 'workflow type: expected trainingJob, got', 'TrainingJob'],
    ['a kind as the type', () => [job('kind')], 'workflow type: expected trainingJob, got', 'PyTorchJob'],
  ])('fails the workflow at once: %s', async (what, input, why, ...[type]) => {
    const workflowId = `${what.replaceAll(' ', '-')}-${stage.namespace}`;
    await startByHand(temporal, { workflowId, input: input(), type });
    expect(await refusalOf(temporal('workflow', 'result', '--workflow-id', workflowId))).toContain(why);
    const { events } = await stage.temporal.workflow.getHandle(workflowId).fetchHistory();
    const { failure } = events?.at(-1)?.workflowExecutionFailedEventAttributes ?? {};
    expect(failure?.stackTrace).toBe('');
    expect(failure?.cause ?? null).toBeNull();
  });

  it('with an unknown field starts the job, and causes a warning', async () => {
    const workflowId = `unknown-${stage.namespace}`;
    const manifest = JSON.parse(job('unknown')) as { spec: object };
    const input = [JSON.stringify({ ...manifest, spec: { ...manifest.spec, runPolicies: {} } })];
    await startByHand(temporal, { workflowId, input });
    const handle = stage.client.job({ workflowId });
    const { warnings } = await untilPhase(handle, 'Running');
    expect(warnings.join()).toContain('runPolicies');
    await handle.stop({});
  });
});

describe('a wrong request is refused, and changes nothing', () => {
  const workflowId = () => `asked-${stage.namespace}`;

  beforeAll(async () => {
    await startByHand(temporal, { workflowId: workflowId(), input: [job('asked')] });
    await untilPhase(stage.client.job({ workflowId: workflowId() }), 'Running');
  });

  const update = (name: string, ...input: string[]) =>
    temporal(
      ...['workflow', 'update', 'execute', '--workflow-id', workflowId(), '--name', name],
      ...input.flatMap((json) => ['--input', json]),
    );

  it.each([
    ['stop', '"now"', '(input): expected an object'],
    ['stop', '{"checkpont": true}', 'checkpont: expected one of the fields by, why, checkpoint'],
    ['stop', '{"checkpoint": "yes"}', 'checkpoint: expected true or false, got'],
    ['suspend', '{"by": 7}', 'by: expected a text, got 7'],
    ['resume', '{}', 'the job is not suspended: Running'],
    ['scale', '{"role": "Worker"}', 'replicas: expected an integer >= 0, got nothing'],
    ['scale', '{"role": "Ps", "replicas": 1}', 'role: expected one of Master, Worker, got'],
    ['extendDeadline', '{"seconds": 60}', 'the job has no activeDeadlineSeconds'],
    ['hold', '{"seconds": "1h"}', 'seconds: expected an integer'],
    ['amendPolicy', '{"policy": []}', 'policy: expected an object'],
    ['sotp', '{}', 'sotp'],
  ])('%s %s', async (name, input, why) => {
    expect(await refusalOf(update(name, input))).toContain(why);
    expect(await stage.client.job({ workflowId: workflowId() }).status()).toMatchObject({ phase: 'Running' });
  });
});

describe('many jobs at once', () => {
  it('are suspended, resumed and stopped by signals to the results of a query', async () => {
    const ids = ['first', 'second'].map((name) => `${name}-${stage.namespace}`);
    for (const workflowId of ids)
      await startByHand(temporal, { workflowId, input: [job(workflowId.split('-')[0]!)] });
    const jobs = ids.map((workflowId) => stage.client.job({ workflowId }));
    for (const handle of jobs) await untilPhase(handle, 'Running');
    const signal = async (name: string, phase: string) => {
      const query = `JobNamespace = "${stage.namespace}" AND JobName IN ("first", "second") AND JobPhase = "${phase}" AND ExecutionStatus = "Running"`;
      await eventually(`both are found as ${phase}`, async () =>
        (await temporal('workflow', 'count', '--query', query)).includes('2'),
      );
      const input = ['--input', '{"by": "ana", "why": "maintenance"}'];
      await temporal(
        'workflow',
        'signal',
        '--query',
        query,
        '--name',
        name,
        ...input,
        '--reason',
        'test',
        '--yes',
      );
    };
    await signal('suspend', 'Running');
    for (const handle of jobs)
      expect((await untilPhase(handle, 'Suspended')).cause?.message).toBe('suspended by ana: maintenance');
    await signal('resume', 'Suspended');
    for (const handle of jobs) await untilPhase(handle, 'Running');
    await signal('stop', 'Running');
    for (const handle of jobs) expect((await handle.wait()).phase).toBe('Stopped');
  });
});
