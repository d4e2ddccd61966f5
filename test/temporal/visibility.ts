import { type Client, defaultPayloadConverter } from '@temporalio/client';
import { listed } from './raw-workflows.ts';

/** What a client needs to list workflows: these, by id, with the anchors of their memos. */
export function aVisibilityOf(
  running: readonly (readonly [workflowId: string, { readonly anchorUid?: string }])[],
): Pick<Client, 'workflowService' | 'options'> {
  const raw = running.map(([workflowId, { anchorUid }]) => ({
    workflowId,
    runId: 'run-1',
    closedAt: 0,
    memo: { anchorUid: defaultPayloadConverter.toPayload(anchorUid ?? null) },
  }));
  const listWorkflowExecutions = async () => listed(...raw);
  const loadedDataConverter = { payloadConverter: defaultPayloadConverter, payloadCodecs: [] };
  return {
    options: { namespace: 'default', loadedDataConverter },
    workflowService: { listWorkflowExecutions },
  } as unknown as Client;
}
