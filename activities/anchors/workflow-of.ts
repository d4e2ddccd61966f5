import { parseAnchorRecord } from '../../contracts/anchor.ts';
import type { ConfigMap } from '../../contracts/kubernetes.ts';
import { findWorkflowOfAnchor } from '../../temporal/workflow-of-anchor.ts';
import type { Dependencies } from '../support/dependencies.ts';

/** Finds the workflow of an anchor's job; `workflowId`: the one that it should have. */
export function findWorkflowOf(
  temporal: Dependencies['temporal'],
  { metadata }: Pick<ConfigMap, 'metadata'>,
  workflowId: string | undefined,
) {
  const { namespace = '', name, uid = '', annotations } = metadata;
  const { firstRunId } = parseAnchorRecord(annotations);
  return findWorkflowOfAnchor(temporal, { namespace, name, uid, workflowId, firstRunId });
}
