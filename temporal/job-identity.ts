import type { WorkflowExecutionInfo } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.ts';

/** What a job is called, as the visibility store knows it. */
export interface VisibleJob {
  readonly namespace: string;
  readonly name: string;
  readonly kind: string;
}

/** A workflow that was never taken up by a worker shows its job only in its id. */
export function visibleJobOf({
  typedSearchAttributes: attributes,
  workflowId,
}: Pick<WorkflowExecutionInfo, 'typedSearchAttributes' | 'workflowId'>): VisibleJob {
  const [, namespace = '', name = workflowId] = /^job\/([^/]+)\/([^/]+)$/.exec(workflowId) ?? [];
  return {
    namespace: attributes.get(SEARCH_ATTRIBUTES.namespace) ?? namespace,
    name: attributes.get(SEARCH_ATTRIBUTES.name) ?? name,
    kind: attributes.get(SEARCH_ATTRIBUTES.kind) ?? 'unknown',
  };
}
