import type { SweepSummary, SweepTrial } from '../../contracts/parameter-sweep.ts';
import type { Intervention } from '../../contracts/types.ts';
import type { CallOptions, WaitOptions } from '../servers/client-settings.ts';
import type { JobId } from '../servers/job-id.ts';
import type { ClientPorts } from '../servers/ports.ts';
import { stopSweep, sweepSummary, waitForSweep } from '../use-cases/parameter-sweep/observe-sweep.ts';
import { refuseUnknownOptions } from './known-options.ts';

/**
 * One parameter sweep. Its trials are jobs like any others, NAME-0, NAME-1, …, with the label `signalbox.dev/sweep`.
 *
 * @public
 */
export class SweepHandle {
  readonly workflowId: string;
  readonly #ports: ClientPorts;
  readonly #sweep: JobId;

  /** @internal */
  constructor(ports: ClientPorts, sweep: JobId) {
    this.workflowId = sweep.workflowId;
    this.#ports = ports;
    this.#sweep = sweep;
  }

  /**
   * Returns how many trials have ended in which way, the first that failed, and what those that run wait for. If no worker
   * answers, `recordedIn` is set, and the counts are those of the last round.
   */
  summary(options: CallOptions = {}): Promise<SweepSummary> {
    return sweepSummary(this.#ports, this.#sweep, options);
  }

  /** Returns each trial with its values, its phase and the last progress that it reported, in their order. */
  async trials(options: CallOptions = {}): Promise<readonly SweepTrial[]> {
    const { listTrials } = await import('../use-cases/parameter-sweep/list-trials.ts');
    return listTrials(this.#ports, this.#sweep, options);
  }

  /** Waits until the last trial has ended; see `JobHandle.wait`. */
  async wait(options: WaitOptions = {}): Promise<SweepSummary> {
    await refuseUnknownOptions({ wait: options });
    return waitForSweep(this.#ports, this.#sweep, options);
  }

  /** Starts no more trials, and stops those that run. Stopping an ended sweep does nothing. */
  async stop(request: Intervention & CallOptions = {}): Promise<'requested' | 'already-ended'> {
    await refuseUnknownOptions({ stopSweep: request });
    return stopSweep(this.#ports, this.#sweep, request);
  }
}
