import type { AmendRequest, Intervention, LanesAnswer } from '../../contracts/types.ts';
import type { CallOptions, JobSelector } from '../servers/client-settings.ts';
import type { ClientPorts } from '../servers/ports.ts';
import type { LaneClosing } from '../use-cases/lanes/close-lane.ts';
import { JobHandle } from './job-handle.ts';
import { refuseUnknownOptions } from './known-options.ts';

/**
 * The lanes that jobs wait in (docs/queue.md), read and closed with the rights of this client in the cluster. Methods about
 * lanes throw `LanesError` if `lanes` of the settings, or SIGNALBOX_LANES, does not say where they are, or they have faults.
 *
 * @example
 * ```ts
 * const { lanes } = await client.lanes.list();
 * for (const { lane, waiting, nextStart } of lanes) console.log(lane, waiting.length, nextStart);
 * await client.lanes.pause('research', { why: 'new drivers until noon' });
 * await client.lanes.move({ name: 'train' }, { lane: 'production', why: 'it is urgent' });
 * ```
 *
 * @public
 */
export class JobLanes {
  readonly #ports: ClientPorts;

  /** @internal */
  constructor(ports: ClientPorts) {
    this.#ports = ports;
  }

  /**
   * Returns what runs and what waits in each lane, who borrows, and when the next job starts. It decides as the watcher does,
   * from what this client may read; `unknown` names the rest.
   */
  async list(): Promise<LanesAnswer> {
    const { readLanesAnswer } = await import('../use-cases/lanes/read-lanes-answer.ts');
    return readLanesAnswer(this.#ports);
  }

  /** Starts nothing in a lane until it is opened; what runs goes on. Who waits is told the reason. */
  async pause(lane: string, given: { readonly why: string }): Promise<void> {
    await refuseUnknownOptions({ closeLane: given });
    return this.#close(lane, { as: 'paused', why: given.why });
  }

  /** The same, to have the lane empty when what runs has ended. */
  async drain(lane: string, given: { readonly why: string }): Promise<void> {
    await refuseUnknownOptions({ closeLane: given });
    return this.#close(lane, { as: 'drain', why: given.why });
  }

  /** Lets jobs of a lane start again. */
  open(lane: string): Promise<void> {
    return this.#close(lane, undefined);
  }

  /** Lets a job wait in another lane; one that runs keeps what it has. Its history records who and why. */
  async move(
    job: JobSelector | JobHandle,
    request: Intervention & { readonly lane: string },
    options: CallOptions = {},
  ): Promise<void> {
    await refuseUnknownOptions({ moveToLane: request, call: options });
    const { lane: name, ...who } = request;
    return this.#amend(job, { ...who, policy: { lane: { name } } }, options);
  }

  /** Changes the priority of a job in its lane: the larger comes first. Its history records who and why. */
  async setPriority(
    job: JobSelector | JobHandle,
    request: Intervention & { readonly priority: number },
    options: CallOptions = {},
  ): Promise<void> {
    await refuseUnknownOptions({ lanePriority: request, call: options });
    const { priority, ...who } = request;
    return this.#amend(job, { ...who, policy: { lane: { priority } } }, options);
  }

  async #amend(job: JobSelector | JobHandle, request: AmendRequest, options: CallOptions): Promise<void> {
    const handle = 'amendPolicy' in job ? job : await this.#find(job, options);
    await handle.amendPolicy(request, options);
  }

  async #find(job: JobSelector, options: CallOptions): Promise<JobHandle> {
    const { locateJob } = await import('../use-cases/find/find-jobs.ts');
    return new JobHandle(this.#ports, await locateJob(this.#ports, job, options));
  }

  async #close(lane: string, closing: LaneClosing): Promise<void> {
    const { closeLane } = await import('../use-cases/lanes/close-lane.ts');
    await closeLane(this.#ports, { lane, closing });
  }
}
