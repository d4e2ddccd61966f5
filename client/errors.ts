import { type Fault, formatFault } from '../contracts/faults.ts';

/** What this library throws: each class is one cause, each has a sentence, and what to do about it. */
export abstract class SignalboxError extends Error {
  readonly remedy: string | undefined;

  constructor(message: string, options: { cause?: unknown; remedy?: string } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.remedy = options.remedy;
  }
}

/** The manifest has faults; nothing was started. */
export class InvalidManifestError extends SignalboxError {
  override readonly name = 'InvalidManifestError';
  readonly faults: readonly Fault[];
  /** What may explain them, e.g. a field that nobody reads. */
  readonly warnings: readonly string[];

  constructor(faults: readonly Fault[], warnings: readonly string[] = []) {
    super(
      `The manifest has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${listed(faults)}`,
      {
        remedy: 'Nothing was started. Correct the manifest and submit it again.',
      },
    );
    this.faults = faults;
    this.warnings = warnings;
  }
}

/** Another manifest is live under the same name. */
export class NameTakenError extends SignalboxError {
  override readonly name = 'NameTakenError';
  readonly workflowId: string;
  readonly phase: string;
  readonly since: Date;

  constructor(live: { workflowId: string; phase: string; since: Date; stopCommand: string }) {
    super(
      `Another manifest runs as ${live.workflowId} since ${live.since.toISOString()}; its phase is ${live.phase}.`,
      { remedy: `Stop it (${live.stopCommand}), or choose another metadata.name.` },
    );
    this.workflowId = live.workflowId;
    this.phase = live.phase;
    this.since = live.since;
  }
}

export class JobNotFoundError extends SignalboxError {
  override readonly name = 'JobNotFoundError';
  readonly workflowId: string;

  constructor(workflowId: string, cause?: unknown) {
    super(`There is no job ${workflowId}.`, {
      cause,
      remedy:
        'See `signalbox list`; ended jobs are forgotten after the retention time of the Temporal namespace.',
    });
    this.workflowId = workflowId;
  }
}

/** Temporal or Kubernetes does not answer. */
export class ServerAwayError extends SignalboxError {
  override readonly name = 'ServerAwayError';

  constructor(server: 'Temporal' | 'Kubernetes', address: string, cause?: unknown) {
    super(`${server} does not answer at ${address}.`, {
      cause,
      remedy:
        server === 'Temporal'
          ? 'Check the address (`signalbox config` shows where it comes from), or start one here: `signalbox sandbox up`.'
          : 'Check the kubeconfig and its context (`signalbox config` shows where they come from).',
    });
  }
}

/** Temporal is there, but no worker of signalbox answers for the job. */
export class WorkerAwayError extends SignalboxError {
  override readonly name = 'WorkerAwayError';

  constructor(workflowId: string, cause?: unknown) {
    super(`No worker answers for ${workflowId}.`, {
      cause,
      remedy: 'Start one: `signalbox up`. The job goes on where it was.',
    });
  }
}

/** A server answered, and the answer was no. */
export class RefusedError extends SignalboxError {
  override readonly name = 'RefusedError';
}

/** There is no log to read, or no pod that fits the question. */
export class NoLogError extends SignalboxError {
  override readonly name = 'NoLogError';
}

const listed = (faults: readonly Fault[]) => faults.map((fault) => `  ${formatFault(fault)}`).join('\n');
