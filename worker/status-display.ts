import type { InjectedSinks } from '@temporalio/worker';
import { type ShowStatusRequest, type StatusSink, showStatus } from '../activities/record-status.ts';
import type { Dependencies } from '../activities/support/dependencies.ts';
import { NewestWrites } from './newest-writes.ts';

/**
 * Writes to anchors what workflows of this worker show (`workflows/publisher.ts`). Where that is lost, the watcher notices, and
 * tells the workflow.
 */
export class StatusDisplay extends NewestWrites<ShowStatusRequest> {
  constructor(tools: Pick<Dependencies, 'cluster' | 'clusterId'>) {
    // The newer one, over what the earlier one would have replaced.
    super(
      (request) => showStatus(tools, request),
      ({ over }, newer) => ({ ...newer, over }),
    );
  }

  /** A workflow that is replayed shows nothing. */
  get sinks(): InjectedSinks<{ readonly status: StatusSink }> {
    return { status: { show: { fn: (_, request) => this.add(request), callDuringReplay: false } } };
  }
}
