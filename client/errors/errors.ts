import { formatFault } from '../../contracts/faults.ts';
import { parameterSweepOf } from '../../contracts/parameter-sweep.ts';
import type { FinalPhase } from '../../contracts/status.ts';
import type { Fault } from '../../contracts/types.ts';
import { errorMessage } from '../../language/error-message.ts';
import { orMeant } from '../../language/meant.ts';
import { SignalboxError } from './signalbox-error.ts';

/**
 * The manifest has faults, or would have them after the requested change. Nothing was done.
 *
 * @public
 */
export class InvalidManifestError extends SignalboxError<'InvalidManifest'> {
  static override readonly code = 'InvalidManifest';
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
      of?:
        | 'submission'
        | 'submissions'
        | 'submit'
        | 'options'
        | 'call'
        | 'rerun'
        | 'change'
        | 'apply'
        | 'sweep';
      remedy?: string;
      cause?: unknown;
    } = {},
  ) {
    const { what } = FAULTY[of];
    const count = faults.length === 1 ? 'an error' : `${faults.length} errors`;
    super(`${what} ${count}:\n${listed(faults)}`, { cause, remedy: `${remedy}${remedyOfUnknown(faults)}` });
    this.faults = faults;
    this.warnings = warnings;
  }
}

/** A newer cluster may know what this version does not. */
const remedyOfUnknown = (faults: readonly Fault[]): string =>
  faults.length > 0 && faults.every(({ isUnknown }) => isUnknown)
    ? ' --no-strict (`strict: false`) accepts unknown fields.'
    : '';

const FAULTY = {
  submission: {
    what: 'The manifest has',
    remedy: 'Nothing was started. Correct the manifest and submit it again.',
  },
  submissions: {
    what: 'The manifests have',
    remedy: 'Nothing was started. Correct the manifests and submit them again.',
  },
  submit: {
    what: 'The options have',
    remedy: 'Nothing was started. Correct the options and submit again.',
  },
  options: {
    what: 'The options have',
    remedy: 'Correct the options and build the manifest again.',
  },
  call: {
    what: 'The options have',
    remedy: 'Nothing was done. Correct the options and call again.',
  },
  rerun: {
    what: 'The manifest of the rerun would have',
    remedy: 'Nothing was started.',
  },
  change: {
    what: 'With this change the manifest would have',
    remedy: 'Nothing was changed; the job continues as before.',
  },
  sweep: {
    what: 'The sweep has',
    remedy: 'Nothing was started. Correct the manifest or the values, and start the sweep again.',
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
export class NameTakenError extends SignalboxError<'NameTaken'> {
  static override readonly code = 'NameTaken';
  readonly workflowId: string;
  readonly phase: string;
  readonly since: Date;

  /** `what` is live, e.g. `Another manifest`, which differs by `differences`; `message` is of a job that is not. */
  constructor(live: {
    workflowId: string;
    phase: string;
    since: Date;
    remedy: string;
    what?: string;
    differences?: string;
    message?: string;
  }) {
    const { what = 'Another manifest', differences = '', workflowId, since, phase } = live;
    const isLive = `${what} has been running as ${workflowId} since ${since.toISOString()}; its phase is ${phase}.${differences}`;
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
export class KeyReusedError extends SignalboxError<'KeyReused'> {
  static override readonly code = 'KeyReused';
  readonly workflowId: string;
  readonly runId: string;
  readonly key: string;

  /** `differences`: between the two manifests, as a sentence. */
  constructor(run: { workflowId: string; runId: string; key: string; differences?: string }) {
    super(
      `The key ${JSON.stringify(run.key)} was used for another manifest: run ${run.runId} of ${run.workflowId}.${run.differences ?? ''}`,
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
 * Temporal has no such job or sweep, or no longer.
 *
 * @public
 */
export class JobNotFoundError extends SignalboxError<'JobNotFound'> {
  static override readonly code = 'JobNotFound';
  readonly workflowId: string;

  /** If one of several jobs of the name was asked for: those that are there, the newest first. */
  readonly known: readonly KnownJob[];

  /**
   * `others`: ids of workflows whose job has the requested name. `archive`: where it is not, if not in Temporal. `near`: a
   * name that was probably meant.
   */
  constructor(
    workflowId: string,
    {
      cause,
      others = [],
      archive,
      run,
      known = [],
      near,
    }: {
      cause?: unknown;
      others?: readonly string[];
      archive?: string | undefined;
      run?: string;
      known?: readonly KnownJob[];
      near?: string | undefined;
    } = {},
  ) {
    const sweep = parameterSweepOf(workflowId);
    const where = archive === undefined ? '' : ` in the archive ${archive}`;
    const name = run === undefined ? workflowId : `${workflowId}@${run}`;
    const what = sweep ? `sweep ${sweep.namespace}/${sweep.name}` : `job ${name}`;
    const elsewhere = sweep
      ? NO_SWEEP
      : others.length
        ? oneOfThem(others)
        : archive === undefined
          ? FORGOTTEN
          : NOT_ARCHIVED;
    const remedy = known.length ? `${knownJobs(known)}. ${elsewhere}` : elsewhere;
    super(`There is no ${what}${where}${orMeant(near)}`, { cause, remedy });
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

/** The code that throws the error may know more of a job than others should see. */
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
export class AmbiguousRunError extends SignalboxError<'AmbiguousRun'> {
  static override readonly code = 'AmbiguousRun';
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
const NO_SWEEP =
  'See `signalbox sweep list`; Temporal forgets ended sweeps after the retention time of its namespace.';
const NOT_ARCHIVED =
  'See `signalbox list --archived`; `signalbox archive status` tells what is not archived yet.';

/**
 * The request needs a job that has not ended.
 *
 * @public
 */
export class JobEndedError extends SignalboxError<'JobEnded'> {
  static override readonly code = 'JobEnded';
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
export class WaitTimeoutError extends SignalboxError<'WaitTimeout'> {
  static override readonly code = 'WaitTimeout';
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
export class ServerAwayError extends SignalboxError<'ServerAway'> {
  static override readonly code = 'ServerAway';

  constructor(server: 'Temporal' | 'Kubernetes', address: string, cause?: unknown) {
    super(`${server} does not answer at ${address}.`, {
      cause,
      remedy:
        server === 'Temporal'
          ? 'Check the address (`signalbox config` shows where it comes from), or start one: in a checkout, `signalbox sandbox up` does.'
          : 'Check the kubeconfig and its context (`signalbox config` shows where they come from).',
    });
  }
}

/**
 * Temporal is available, but no worker answers for the job.
 *
 * @public
 */
export class WorkerAwayError extends SignalboxError<'WorkerAway'> {
  static override readonly code = 'WorkerAway';

  constructor(
    workflowId: string,
    cause?: unknown,
    {
      message = `No worker answers for ${workflowId}.`,
      remedy = `Start one: \`signalbox up\`. The ${parameterSweepOf(workflowId) ? 'sweep' : 'job'} then continues.`,
    } = {},
  ) {
    super(message, { cause, remedy });
  }
}

/**
 * A server rejected the request.
 *
 * @public
 */
export class RefusedError extends SignalboxError<'Refused'> {
  static override readonly code = 'Refused';
}

/**
 * The lanes are not known, do not exist or have faults, or there is no such lane. The message names what is wrong.
 *
 * @public
 */
export class LanesError extends SignalboxError<'Lanes'> {
  static override readonly code = 'Lanes';
}

/**
 * The call needs a package that is not installed, or a newer Node.
 *
 * @public
 */
export class MissingRequirementError extends SignalboxError<'MissingRequirement'> {
  static override readonly code = 'MissingRequirement';
}

/**
 * There is no log to read, or no pod matches the choice.
 *
 * @public
 */
export class NoLogError extends SignalboxError<'NoLog'> {
  static override readonly code = 'NoLog';
}

/**
 * None of the chosen pods has failed.
 *
 * @public
 */
export class NoEvidenceError extends SignalboxError<'NoEvidence'> {
  static override readonly code = 'NoEvidence';
}

/**
 * The evidence exists, but not in the place this client reads.
 *
 * @public
 */
export class EvidenceAwayError extends SignalboxError<'EvidenceAway'> {
  static override readonly code = 'EvidenceAway';
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
export class ArchiveAwayError extends SignalboxError<'ArchiveAway'> {
  static override readonly code = 'ArchiveAway';
}

/**
 * A file of the archive is missing, was cut, or was changed after it was written. The message names it.
 *
 * @public
 */
export class ArchiveDamagedError extends SignalboxError<'ArchiveDamaged'> {
  static override readonly code = 'ArchiveDamaged';
}

/**
 * A later version of signalbox wrote the archive, in a form that this one does not know.
 *
 * @public
 */
export class ArchiveVersionError extends SignalboxError<'ArchiveVersion'> {
  static override readonly code = 'ArchiveVersion';
}

const listed = (faults: readonly Fault[]) => faults.map((fault) => `  ${formatFault(fault)}`).join('\n');
