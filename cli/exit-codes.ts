/** Exit codes that scripts can rely on. `signalbox --help` prints this table. */
export const EXIT_CODES = {
  ok: { code: 0, meaning: 'done; with --wait or --follow: the job has Completed' },
  unexpected: { code: 1, meaning: 'any other error' },
  usage: { code: 2, meaning: 'an invalid command line, environment variable or file' },
  notFound: { code: 3, meaning: 'no such job, no log, or no evidence' },
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
  unhealthy: {
    code: 9,
    meaning: '`signalbox doctor` has found a fault, or `signalbox archive status` a problem',
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
} as const;

/** By name, as loading the error classes would also load their libraries. */
const BY_ERROR: Readonly<Record<string, keyof typeof EXIT_CODES>> = {
  CommanderError: 'usage',
  UsageError: 'usage',
  SettingsError: 'usage',
  ManifestFileError: 'usage',
  PayloadEncodingError: 'usage',
  ClusterConfigError: 'usage',
  AttestationKeyError: 'usage',
  AttestationFormatError: 'usage',
  OutputError: 'usage',
  InvalidScheduleError: 'usage',
  LogKeyError: 'usage',
  ArchiveError: 'usage',
  UnknownArchiveError: 'usage',
  DamagedArchiveError: 'tampered',
  KeptCheckpointError: 'usage',
  AuditSqlError: 'usage',
  DuckDBMissingError: 'usage',
  ChangedIndexError: 'tampered',
  JobNotFoundError: 'notFound',
  AmbiguousRunError: 'usage',
  NoArchiveError: 'usage',
  NotArchivedError: 'notFound',
  ScheduleNotFoundError: 'notFound',
  NoLogError: 'notFound',
  NoEvidenceError: 'notFound',
  InvalidManifestError: 'invalidManifest',
  NameTakenError: 'nameTaken',
  ScheduleExistsError: 'nameTaken',
  KeyReusedError: 'nameTaken',
  ServerAwayError: 'serverAway',
  WorkerAwayError: 'serverAway',
  ConnectionError: 'serverAway',
  EvidenceAwayError: 'serverAway',
  ArchiveAwayError: 'serverAway',
};

export const exitCodeOfError = (error: unknown): number =>
  EXIT_CODES[BY_ERROR[error instanceof Error ? error.name : ''] ?? 'unexpected'].code;

const BY_PHASE: Readonly<Record<string, keyof typeof EXIT_CODES>> = {
  Completed: 'ok',
  Failed: 'jobFailed',
  Stopped: 'jobStopped',
};

export const exitCodeOfPhase = (phase: string): number => EXIT_CODES[BY_PHASE[phase] ?? 'unexpected'].code;

export const exitCodeTable = (): string =>
  Object.values(EXIT_CODES)
    .map(({ code, meaning }) => `  ${String(code).padEnd(4)}${meaning}`)
    .join('\n');
