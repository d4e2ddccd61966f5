import { beforeEach, describe, expect, it } from '@jest/globals';
import { outcomeBeforeAdmission, statusBeforeAdmission } from '../../workflows/before-admission.ts';
import { aManifest } from './admissions.ts';
import { startIdleWorkflow, type WorkflowHost } from './workflow-host.ts';

let flow: WorkflowHost;

const statusOf = (manifest: unknown) => flow.runs(() => statusBeforeAdmission(manifest));

beforeEach(async () => {
  flow = await startIdleWorkflow();
});

describe('a job whose manifest is not parsed yet', () => {
  it('is pending since the start of its workflow', async () => {
    await flow.passes(60_000);
    const status = await statusOf(aManifest());
    expect(status).toMatchObject({ kind: 'PyTorchJob', name: 'resnet', namespace: 'ml', attempt: 1 });
    expect(status).toMatchObject({
      phase: 'Pending',
      state: 'Pending.Admitting',
      cause: { reason: 'CreatingObjects' },
    });
    expect(status.timeline).toMatchObject([{ at: '2026-01-01T00:00:00Z', state: 'Pending.Admitting' }]);
  });

  it('is in the default namespace by default', async () => {
    expect((await statusOf({ metadata: { name: 'resnet' } })).namespace).toBe('default');
  });

  it.each([undefined, null, 7, 'a job', [], {}, { kind: 7, metadata: null }, { metadata: { name: {} } }])(
    'has a status, whatever its manifest is: %j',
    async (manifest) => {
      expect(await statusOf(manifest)).toMatchObject({
        kind: '',
        name: '',
        namespace: 'default',
        phase: 'Pending',
      });
    },
  );

  it('has no name that Temporal cannot store', async () => {
    const name = `res\u0000net\n${'x'.repeat(3_000)}`;
    const { name: shortened } = await statusOf({ metadata: { name } });
    expect(shortened).toBe(`resnet${'x'.repeat(247)}`);
  });
});

describe('a job that ends before it is admitted', () => {
  it('has an outcome with the time and cause of its end', async () => {
    const cause = { reason: 'NameTaken', message: 'the name is taken' } as const;
    await flow.passes(60_000);
    const outcome = await flow.runs(() => outcomeBeforeAdmission(aManifest(), 'Failed', cause));
    expect(outcome).toMatchObject({
      phase: 'Failed',
      state: 'Failed',
      cause,
      completionTime: '2026-01-01T00:01:00Z',
    });
    expect(outcome.timeline).toMatchObject([
      { at: '2026-01-01T00:00:00Z', state: 'Pending.Admitting' },
      { at: '2026-01-01T00:01:00Z', phase: 'Failed', state: 'Failed', cause: 'the name is taken' },
    ]);
  });

  it('names its final phase if there is no cause', async () => {
    const outcome = await flow.runs(() => outcomeBeforeAdmission(aManifest(), 'Stopped', undefined));
    expect(outcome.timeline.at(-1)).toMatchObject({ phase: 'Stopped', cause: 'Stopped' });
  });
});
