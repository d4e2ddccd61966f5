import type { FinalPhase } from '../../contracts/status.ts';
import { errorCode } from '../../language/error-code.ts';

/** Exit codes that scripts can rely on. `signalbox --help` prints this table. */
export const EXIT_CODES = {
  ok: { code: 0, meaning: 'done; with --wait or --follow: the job has Completed' },
  unexpected: { code: 1, meaning: 'any other error' },
  usage: { code: 2, meaning: 'an invalid command line, environment variable or file' },
  notFound: { code: 3, meaning: 'no such job, no log, no evidence, or no running sandbox' },
  invalidManifest: {
    code: 4,
    meaning: 'the manifest, or the requested change to it, has errors; nothing was done',
  },
  nameTaken: {
    code: 5,
    meaning: 'a live job with the same name, or a job with the same key, has another manifest',
  },
  different: {
    code: 6,
    meaning: '`signalbox diff`: the jobs differ; `signalbox replay`: a decision would differ',
  },
  notKnown: { code: 7, meaning: '`signalbox why -f`: whether the job would start is not known' },
  unhealthy: {
    code: 9,
    meaning:
      '`signalbox doctor` has found a fault, `signalbox archive status` a problem, or `signalbox why -f` what keeps a job from starting',
  },
  jobFailed: { code: 10, meaning: 'the job has Failed' },
  jobStopped: { code: 11, meaning: 'the job was Stopped' },
  serverAway: {
    code: 12,
    meaning: 'Temporal, Kubernetes, the worker, the evidence store or the archive does not answer',
  },
  tampered: {
    code: 13,
    meaning: '`signalbox audit verify`, or a command that reads the archive, has found a change of it',
  },
  interrupted: { code: 130, meaning: 'interrupted by Ctrl-C; jobs, and a sandbox that starts, go on' },
} as const;

export type Exit = keyof typeof EXIT_CODES;

/** By code, as loading the error classes would also load their libraries. */
const BY_CODE: Readonly<Record<string, Exit>> = {
  Usage: 'usage',
  ClusterConfig: 'usage',
  AttestationKey: 'usage',
  AttestationFormat: 'usage',
  AttestationOutput: 'usage',
  InvalidSchedule: 'usage',
  Lanes: 'usage',
  LogKey: 'usage',
  Archive: 'usage',
  ArchiveVersion: 'usage',
  ArchiveDamaged: 'tampered',
  ArchiveForeign: 'tampered',
  LogDamaged: 'tampered',
  KeptCheckpoint: 'usage',
  AuditSql: 'usage',
  DuckDBMissing: 'usage',
  IndexChanged: 'tampered',
  JobNotFound: 'notFound',
  AmbiguousRun: 'usage',
  NotArchived: 'notFound',
  ScheduleNotFound: 'notFound',
  NoLog: 'notFound',
  NoEvidence: 'notFound',
  InvalidManifest: 'invalidManifest',
  NameTaken: 'nameTaken',
  ScheduleExists: 'nameTaken',
  KeyReused: 'nameTaken',
  ServerAway: 'serverAway',
  WorkerAway: 'serverAway',
  ApiServerAway: 'serverAway',
  EvidenceAway: 'serverAway',
  ArchiveAway: 'serverAway',
};

export const exitOfError = (error: unknown): Exit => BY_CODE[errorCode(error) ?? ''] ?? 'unexpected';

const BY_PHASE: Readonly<Record<FinalPhase, Exit>> = {
  Completed: 'ok',
  Failed: 'jobFailed',
  Stopped: 'jobStopped',
};

/** Ends the process, when it is done, with the code of the first of these that is no success. */
export function exitWith(...exits: readonly Exit[]): void {
  for (const exit of exits) process.exitCode ||= EXIT_CODES[exit].code;
}

/** Ends the process with the code of the first job that did not complete, unless something failed before. */
export const exitWithOutcomes = (outcomes: readonly { readonly phase: FinalPhase }[]): void =>
  exitWith(...outcomes.map(({ phase }) => BY_PHASE[phase]));

/** Ends the process at once. */
export const exitNow = (exit: Exit): never => process.exit(EXIT_CODES[exit].code);

export const exitCodeTable = (): string =>
  Object.values(EXIT_CODES)
    .map(({ code, meaning }) => `  ${String(code).padEnd(4)}${meaning}`)
    .join('\n');
