import { describe, expect, it } from '@jest/globals';
import { unknownWorkflowType } from '../../workflows/unknown-workflow-type.ts';
import { startWorkflow } from './workflow-host.ts';

const start = (workflowType: string) => startWorkflow(unknownWorkflowType, { info: { workflowType } });

describe('a workflow whose type the worker does not know', () => {
  it.each(['TrainingJob', 'PyTorchJob', 'training_job'])(
    'fails at once if it is a mistake: %s',
    async (type) => {
      expect((await start(type)).ending).toMatchObject({
        type: 'failed',
        error: { type: 'UnknownWorkflowType', message: expect.stringContaining('expected trainingJob') },
      });
    },
  );

  it.each(['rpc', 'somethingNew'])('waits for a newer worker if it may be one of its: %s', async (type) => {
    await expect(start(type)).rejects.toThrow(`this worker has no workflow of type ${type}`);
  });
});
