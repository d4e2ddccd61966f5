import { Context } from '@temporalio/activity';
import type { SourceAnswer } from '../../contracts/job-revision.ts';
import { SOURCE_QUERY } from '../../contracts/messages.ts';
import type { Dependencies } from './dependencies.ts';

/** Asks the workflow that runs this activity what a revision is built from; by default the newest. */
export function askForSource(
  { temporal }: Pick<Dependencies, 'temporal'>,
  revision?: number,
): Promise<SourceAnswer> {
  const { workflowId, runId } = Context.current().info.workflowExecution!;
  const workflow = temporal.workflow.getHandle(workflowId, runId);
  return workflow.query<SourceAnswer, [number?]>(SOURCE_QUERY, revision);
}
