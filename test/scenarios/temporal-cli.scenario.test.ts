import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.ts';
import { simulatedJob } from './manifests.ts';
import { openStage, type Stage, untilObjects } from './stage.ts';
import { openTemporalCli, type TemporalCli } from './temporal-cli.ts';

let stage: Stage;
let folder: string;
let temporal: TemporalCli;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
  folder = await mkdtemp(join(tmpdir(), 'signalbox-cli-'));
  temporal = await openTemporalCli(stage);
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await stage.close();
});

async function jobFile(manifest: unknown): Promise<string> {
  const file = join(folder, 'job.json');
  await writeFile(file, JSON.stringify(manifest));
  return file;
}

const start = async (workflowId: string, manifest: unknown) =>
  temporal(
    ...['workflow', 'start', '--type', 'trainingJob', '--task-queue', 'signalbox'],
    ...['--workflow-id', workflowId, '--memo', 'submittedBy="ana"', '--input-file', await jobFile(manifest)],
  );

describe("with nothing but Temporal's own command line", () => {
  it('a job is started, asked for its status, found by its phase, and stopped', async () => {
    const { namespace } = stage;
    const workflowId = `by-hand-${namespace}`;
    const manifest = simulatedJob({ name: 'cli', namespace });
    await start(workflowId, { ...manifest, metadata: { ...manifest.metadata, labels: { team: 'vision' } } });
    const status = await eventually('the job runs', async () => {
      const text = await temporal('workflow', 'query', '--workflow-id', workflowId, '--type', 'status');
      return text.includes('Running') ? text : undefined;
    });
    expect(status).toContain('PyTorchJob');
    const found = await eventually('it is found by its phase, a label, and who started it', async () => {
      const query = `JobPhase = "Running" AND JobNamespace = "${namespace}" AND JobLabels = "team=vision" AND JobSubmittedBy = "ana"`;
      const text = await temporal('workflow', 'list', '--query', query);
      return text.includes(workflowId) ? text : undefined;
    });
    expect(found).toContain('trainingJob');
    const input = JSON.stringify({ by: 'ana', why: 'enough seen' });
    await temporal(
      ...['workflow', 'update', 'execute', '--workflow-id', workflowId, '--name', 'stop', '--input', input],
    );
    const result = JSON.parse(
      await temporal('workflow', 'result', '--workflow-id', workflowId, '-o', 'json'),
    ) as { status: string; result: { phase: string; cause: { message: string } } };
    expect(result.result).toMatchObject({
      phase: 'Stopped',
      cause: { message: 'stopped by ana: enough seen' },
    });
    await untilObjects(stage, ['ConfigMap/cli.signalbox']);
  });

  it('a manifest with faults fails at once, with each fault by its path', async () => {
    const workflowId = `faulty-${stage.namespace}`;
    await start(workflowId, {
      apiVersion: 'kubeflow.org/v1',
      kind: 'PyTorchJob',
      metadata: { name: 'Faulty' },
      spec: {},
    });
    await expect(temporal('workflow', 'result', '--workflow-id', workflowId)).rejects.toThrow();
    const shown = await temporal('workflow', 'show', '--workflow-id', workflowId);
    expect(shown).toContain('metadata.name: expected');
    expect(shown).toContain('spec.pytorchReplicaSpecs: expected');
  });
});
