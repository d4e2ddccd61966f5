import { type Fault, formatFault } from '../../contracts/faults.ts';
import type { FinalPhase } from '../../contracts/status.ts';
import { errorMessage } from '../../language/error-message.ts';
import { SignalboxError } from './signalbox-error.ts';

/**
 * The manifest has faults, or would have them after the requested change. Nothing was done.
 *
 * @public
 */
export class InvalidManifestError extends SignalboxError {
  static readonly code = 'InvalidManifest';
  override readonly code = InvalidManifestError.code;
  override readonly name = 'InvalidManifestError';
  readonly faults: readonly Fault[];
  /** Possible explanations of the faults, e.g. unknown fields. */
  readonly warnings: readonly string[];

  constructor(
    faults: readonly Fault[],
    warnings: readonly string[] = [],
    {
      of = 'submission',
      remedy = FAULTY[of].remedy,
      cause,
    }: {
      of?: 'submission' | 'submit' | 'options' | 'rerun' | 'change' | 'apply';
      remedy?: string;
      cause?: unknown;
    } = {},
  ) {
    const { what } = FAULTY[of];
    const count = faults.length === 1 ? 'an error' : `${faults.length} errors`;
    super(`${what} ${count}:\n${listed(faults)}`, { cause, remedy });
    this.faults = faults;
    this.warnings = warnings;
  }
}

const FAULTY = {
  submission: {
    what: 'The manifest has',
    remedy: 'Nothing was started. Correct the manifest and submit it again.',
  },
  submit: {
    what: 'The options have',
    remedy: 'Nothing was started. Correct the options and submit again.',
  },
  options: {
    what: 'The options have',
    remedy: 'Correct the options and build the manifest again.',
  },
  rerun: {
    what: 'The manifest of the rerun would have',
    remedy: 'Nothing was started.',
  },
  change: {
    what: 'With this change the manifest would have',
    remedy: 'Nothing was changed; the job continues as before.',
  },
  apply: {
    what: 'For the live job the manifest has',
    remedy: 'Nothing was changed; the job continues as before.',
  },
} as const;

/**
 * Another manifest, or another submission by key, is live under the same name, or an ended job has not released it yet.
 *
 * @public
 */
export class NameTakenError extends SignalboxError {
  static readonly code = 'NameTaken';
  override readonly code = NameTakenError.code;
  override readonly name = 'NameTakenError';
  readonly workflowId: string;
  readonly phase: string;
  readonly since: Date;

  /** `what` is live, e.g. `Another manifest`; `message` is of a job that is not. */
  constructor(live: {
    workflowId: string;
    phase: string;
    since: Date;
    remedy: string;
    what?: string;
    message?: string;
  }) {
    const { what = 'Another manifest', workflowId, since, phase } = live;
    const isLive = `${what} has been running as ${workflowId} since ${since.toISOString()}; its phase is ${phase}.`;
    super(live.message ?? isLive, { remedy: live.remedy });
    this.workflowId = live.workflowId;
    this.phase = live.phase;
    this.since = live.since;
  }
}

/**
 * A run of this workflow id has the submission's key, but another manifest.
 *
 * @public
 */
export class KeyReusedError extends SignalboxError {
  static readonly code = 'KeyReused';
  override readonly code = KeyReusedError.code;
  override readonly name = 'KeyReusedError';
  readonly workflowId: string;
  readonly runId: string;
  readonly key: string;

  constructor(run: { workflowId: string; runId: string; key: string }) {
    super(
      `The key ${JSON.stringify(run.key)} was used for another manifest: run ${run.runId} of ${run.workflowId}.`,
      {
        remedy: 'Nothing was started. Submit the manifest of that run to get it, or choose another key.',
      },
    );
    this.workflowId = run.workflowId;
    this.runId = run.runId;
    this.key = run.key;
  }
}

/**
 * Temporal has no such job, or no longer.
 *
 * @public
 */
export class JobNotFoundError extends SignalboxError {
  static readonly code = 'JobNotFound';
  override readonly code = JobNotFoundError.code;
  override readonly name = 'JobNotFoundError';
  readonly workflowId: string;

  /** If one of several jobs of the name was asked for: those that are there, the newest first. */
  readonly known: readonly KnownJob[];

  /** `others`: ids of workflows whose job has the requested name. `archive`: where it is not, if not in Temporal. */
  constructor(
    workflowId: string,
    {
      cause,
      others = [],
      archive,
      run,
      known = [],
    }: {
      cause?: unknown;
      others?: readonly string[];
      archive?: string | undefined;
      run?: string;
      known?: readonly KnownJob[];
    } = {},
  ) {
    const where = archive === undefined ? '' : ` in the archive ${archive}`;
    const name = run === undefined ? workflowId : `${workflowId}@${run}`;
    const elsewhere = others.length ? oneOfThem(others) : archive === undefined ? FORGOTTEN : NOT_ARCHIVED;
    const remedy = known.length ? `${knownJobs(known)}. ${elsewhere}` : elsewhere;
    super(`There is no job ${name}${where}.`, { cause, remedy });
    this.workflowId = workflowId;
    this.known = known.map(withoutMore);
  }
}

/**
 * A job of a name that several jobs had.
 *
 * @public
 */
export interface KnownJob {
  readonly runIds: readonly string[];
  readonly phase: string;
  /** RFC 3339. */
  readonly startTime: string;
}

/** Whoever throws the error may know more of a job than others should see. */
const withoutMore = ({ runIds, phase, startTime }: KnownJob): KnownJob => ({ runIds, phase, startTime });

const MOST_NAMED = 5;

const knownJobs = (jobs: readonly KnownJob[]) => `Of that name there is ${listedJobs(jobs)}`;

function listedJobs(jobs: readonly KnownJob[]): string {
  const texts = jobs
    .slice(0, MOST_NAMED)
    .map(({ runIds, phase, startTime }) => `run ${runIds[0]} (${phase}, submitted ${startTime})`);
  const more = jobs.length > MOST_NAMED ? `, and ${jobs.length - MOST_NAMED} older` : '';
  return `${texts.join(', ')}${more}`;
}

/**
 * Several jobs of the name have a run that begins so.
 *
 * @public
 */
export class AmbiguousRunError extends SignalboxError {
  static readonly code = 'AmbiguousRun';
  override readonly code = AmbiguousRunError.code;
  override readonly name = 'AmbiguousRunError';
  readonly workflowId: string;
  readonly known: readonly KnownJob[];

  constructor({ workflowId, run }: { workflowId: string; run: string }, known: readonly KnownJob[]) {
    super(`${workflowId}@${run} may be one of ${known.length} jobs.`, {
      remedy: `Write more of the run id: ${listedJobs(known)}.`,
    });
    this.workflowId = workflowId;
    this.known = known.map(withoutMore);
  }
}

const oneOfThem = (others: readonly string[]) =>
  `${others.length} jobs with that name have other workflow ids; choose one with --workflow-id: ${others.join(', ')}.`;
const FORGOTTEN =
  'See `signalbox list`; Temporal forgets ended jobs after the retention time of its namespace.';
const NOT_ARCHIVED =
  'See `signalbox list --archived`; `signalbox archive status` tells what is not archived yet.';

/**
 * The request needs a job that has not ended.
 *
 * @public
 */
export class JobEndedError extends SignalboxError {
  static readonly code = 'JobEnded';
  override readonly code = JobEndedError.code;
  override readonly name = 'JobEndedError';
  readonly workflowId: string;
  readonly phase: FinalPhase;
  /** RFC 3339. */
  readonly endedAt: string;

  constructor(job: { workflowId: string; phase: FinalPhase; endedAt: string }, cause?: unknown) {
    super(`${job.workflowId} has ended: it has been ${job.phase} since ${job.endedAt}.`, {
      cause,
      remedy: 'Nothing was changed. `signalbox submit --rerun` runs a job with the same manifest again.',
    });
    this.workflowId = job.workflowId;
    this.phase = job.phase;
    this.endedAt = job.endedAt;
  }
}

/**
 * The job has not ended within the time given to `wait`.
 *
 * @public
 */
export class WaitTimeoutError extends SignalboxError {
  static readonly code = 'WaitTimeout';
  override readonly code = WaitTimeoutError.code;
  override readonly name = 'WaitTimeoutError';
  readonly workflowId: string;

  constructor(workflowId: string, timeout: number) {
    super(`${workflowId} has not ended within ${timeout / 1000} s.`, {
      remedy: 'The job continues. Wait again, or stop it.',
    });
    this.workflowId = workflowId;
  }
}

/**
 * Temporal or Kubernetes does not answer.
 *
 * @public
 */
export class ServerAwayError extends SignalboxError {
  static readonly code = 'ServerAway';
  override readonly code = ServerAwayError.code;
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

/**
 * Temporal is available, but no worker answers for the job.
 *
 * @public
 */
export class WorkerAwayError extends SignalboxError {
  static readonly code = 'WorkerAway';
  override readonly code = WorkerAwayError.code;
  override readonly name = 'WorkerAwayError';

  constructor(workflowId: string, cause?: unknown, consequence = 'The job then continues.') {
    super(`No worker answers for ${workflowId}.`, {
      cause,
      remedy: `Start one: \`signalbox up\`. ${consequence}`,
    });
  }
}

/**
 * A server rejected the request.
 *
 * @public
 */
export class RefusedError extends SignalboxError {
  static readonly code = 'Refused';
  override readonly code = RefusedError.code;
  override readonly name = 'RefusedError';
}

/**
 * The call needs a package that is not installed, or a newer Node.
 *
 * @public
 */
export class MissingRequirementError extends SignalboxError {
  static readonly code = 'MissingRequirement';
  override readonly code = MissingRequirementError.code;
  override readonly name = 'MissingRequirementError';
}

/**
 * There is no log to read, or no pod matches the choice.
 *
 * @public
 */
export class NoLogError extends SignalboxError {
  static readonly code = 'NoLog';
  override readonly code = NoLogError.code;
  override readonly name = 'NoLogError';
}

/**
 * None of the chosen pods has failed.
 *
 * @public
 */
export class NoEvidenceError extends SignalboxError {
  static readonly code = 'NoEvidence';
  override readonly code = NoEvidenceError.code;
  override readonly name = 'NoEvidenceError';
}

/**
 * The evidence exists, but not in the place this client reads.
 *
 * @public
 */
export class EvidenceAwayError extends SignalboxError {
  static readonly code = 'EvidenceAway';
  override readonly code = EvidenceAwayError.code;
  override readonly name = 'EvidenceAwayError';
  readonly ref: string | undefined;

  constructor({ pod, ref }: { readonly pod: string; readonly ref?: string }, place: string, cause?: unknown) {
    const why = cause === undefined ? 'it does not exist there' : errorMessage(cause);
    super(`The evidence of ${pod} was stored as ${ref}, but cannot be read from ${place}: ${why}.`, {
      cause,
      remedy: ref?.startsWith('s3:')
        ? 'Give this command the workers’ settings: SIGNALBOX_EVIDENCE_STORE=s3, _BUCKET, _PREFIX, _REGION, _ENDPOINT, and credentials.'
        : 'It is a file on that worker’s machine: read it there, or set SIGNALBOX_EVIDENCE_STORE=files, and SIGNALBOX_EVIDENCE_DIR (--evidence-dir) to that directory as mounted here.',
    });
    this.ref = ref;
  }
}

/**
 * The archive does not exist, does not answer, or may not be read.
 *
 * @public
 */
export class ArchiveAwayError extends SignalboxError {
  static readonly code = 'ArchiveAway';
  override readonly code = ArchiveAwayError.code;
  override readonly name = 'ArchiveAwayError';
}

/**
 * A file of the archive is missing, was cut, or was changed after it was written. The message names it.
 *
 * @public
 */
export class ArchiveDamagedError extends SignalboxError {
  static readonly code = 'ArchiveDamaged';
  override readonly code = ArchiveDamagedError.code;
  override readonly name = 'ArchiveDamagedError';
}

/**
 * A later version of signalbox wrote the archive, in a form that this one does not know.
 *
 * @public
 */
export class ArchiveVersionError extends SignalboxError {
  static readonly code = 'ArchiveVersion';
  override readonly code = ArchiveVersionError.code;
  override readonly name = 'ArchiveVersionError';
}

const listed = (faults: readonly Fault[]) => faults.map((fault) => `  ${formatFault(fault)}`).join('\n');
