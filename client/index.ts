/**
 * The client of signalbox: submits training jobs, waits for them, and steers them.
 *
 * @packageDocumentation
 */

export type {
  ArchiveFailure,
  ArchiveProgress,
  ArchiveRequest,
  ArchiverBeat,
} from '../contracts/archiver.ts';
export type { ManifestChange } from '../contracts/differences/manifest-change.ts';
export type { Condition, KubeObject, ObjectMeta, OwnerReference } from '../contracts/kubernetes.ts';
export type { LanesReference } from '../contracts/lane-request.ts';
export { NODE_CLASSES, type NodeClassName } from '../contracts/node-classes.ts';
export type {
  FailedTrial,
  ParameterValues,
  SweepCounts,
  SweepStop,
  SweepSummary,
  SweepTrial,
  SweepWait,
} from '../contracts/parameter-sweep.ts';
export type { ParentJob } from '../contracts/parent-job.ts';
export {
  REASONS,
  type ReasonCode,
  type ReasonEntry,
  type WaitCode,
  type Who,
} from '../contracts/reasons.ts';
export type {
  ClusterSettings,
  EvidenceSettings,
  S3Settings,
  StoreSettings,
  TemporalSettings,
  TlsSettings,
} from '../contracts/settings.ts';
export type { FinalPhase, ReplicaCount } from '../contracts/status.ts';
export { FINAL_PHASES, PHASES } from '../contracts/status.ts';
export type {
  AmendRequest,
  Cause,
  ConditionEvidence,
  ContainerEvidence,
  ContainerStateEvidence,
  EventEvidence,
  EvidenceRecord,
  EvidenceSteps,
  EvidenceSummary,
  ExcludingTerm,
  Explanation,
  ExtendRequest,
  FailureAdvice,
  FailureError,
  Fault,
  HoldRequest,
  Intervention,
  JobSilence,
  JobStatus,
  JobSteps,
  LaneAnswer,
  LaneJob,
  LanesAnswer,
  LedgerCause,
  LedgerCheckpoint,
  LedgerCounts,
  LedgerEffect,
  LedgerEntry,
  LedgerPod,
  LedgerStep,
  LedgerSteps,
  LedgerWho,
  LogExcerpt,
  NodeClass,
  NodeEvidence,
  OtherCause,
  Phase,
  PodsRecord,
  QueuePlace,
  RecordedContainer,
  RecordedPod,
  ReplicaStatus,
  ScaleRequest,
  ShapePlacement,
  ShortNode,
  SparesStatus,
  StopRequest,
  TimelineEntry,
  Waited,
  WaitReason,
  WhyAnswer,
} from '../contracts/types.ts';
export type { Fits, WaitAnswer } from '../explain/answer.ts';
export type { ManifestEdit } from '../frameworks/changes/edit-manifest.ts';
export type { ArchivedRevision } from '../record/archive/archived-job.ts';
export type {
  FailureReason,
  JobCounts,
  LargeJob,
  NodeFaults,
  PaidSums,
  PeriodReport,
  ReportedJob,
  RestartCount,
  SlowStart,
} from '../record/report/period/period-report.ts';
export type { UseGroup } from '../record/uses/grouped-uses.ts';
export type { CostedJob, JobCost } from '../record/uses/job-cost.ts';
export type { DeviceUse, JobUses } from '../record/uses/job-uses.ts';
export { PAID_FOR, type PaidFor } from '../record/uses/paid-for.ts';
export type { CostData, PricedSums } from '../record/uses/priced-sums.ts';
export type { RestartFact } from '../record/uses/restart-causes.ts';
export type { PartOfWhole, ResourceSums } from '../record/uses/use-sums.ts';
export { USES, type Use } from '../record/uses/uses.ts';
export type { FindingKind, StoreFinding } from '../record/verify/verification.ts';
export {
  AmbiguousRunError,
  ArchiveAwayError,
  ArchiveDamagedError,
  ArchiveVersionError,
  EvidenceAwayError,
  InvalidManifestError,
  JobEndedError,
  JobNotFoundError,
  KeyReusedError,
  type KnownJob,
  LanesError,
  MissingRequirementError,
  NameTakenError,
  NoEvidenceError,
  NoLogError,
  RefusedError,
  ServerAwayError,
  WaitTimeoutError,
  WorkerAwayError,
} from './errors/errors.ts';
export {
  InvalidScheduleError,
  ScheduleExistsError,
  ScheduleNotFoundError,
} from './errors/schedule-errors.ts';
export { type ErrorCode, SignalboxError } from './errors/signalbox-error.ts';
export type { AppliedJob } from './handles/applied-job.ts';
export type { ArchiveReader, BesideArchive, ListArchivedOptions } from './handles/archive-reader.ts';
export type { ArchivedJobHandle } from './handles/archived-job-handle.ts';
export { SignalboxClient } from './handles/client.ts';
export type { JobArchiver } from './handles/job-archiver.ts';
export type { JobHandle } from './handles/job-handle.ts';
export type { JobLanes } from './handles/job-lanes.ts';
export type { JobSchedules } from './handles/job-schedules.ts';
export { openArchive } from './handles/open-archive.ts';
export type { SubmissionAttempt } from './handles/submission-attempt.ts';
export type { SweepHandle } from './handles/sweep-handle.ts';
export * from './manifests/builders/builders.ts';
export type { ContainerEnvironment } from './manifests/container-environment.ts';
export type * from './manifests/manifest-types.ts';
export type { Manifest } from './manifests/named-manifest.ts';
export type {
  CallOptions,
  CleanUpOptions,
  ClientSettings,
  JobSelector,
  SubmissionResult,
  SubmitManyOptions,
  SubmitOptions,
  WaitOptions,
} from './servers/client-settings.ts';
export type { FollowOptions } from './servers/follow-runs.ts';
export type { KnownStatus } from './servers/recorded-status.ts';
export type { JobSummary } from './servers/summary.ts';
export type { Applied, ApplyOptions, ApplyResult } from './use-cases/apply/apply-options.ts';
export type { ArchiverStatus, EndedRun } from './use-cases/archive/archiver.ts';
export type { OpenArchiveOptions } from './use-cases/archive/open-archive-options.ts';
export type {
  JobVerification,
  StoreVerification,
  VerifyOptions,
  VerifyStoreOptions,
} from './use-cases/archive/verification.ts';
export type { CostOptions, PeriodOptions } from './use-cases/cost/cost-options.ts';
export type { PriceOptions } from './use-cases/cost/job-cost.ts';
export type { AnyCase, ArchivedJobFilter, JobFilter } from './use-cases/find/job-filter.ts';
export type { ListedNotification, NotificationFilter } from './use-cases/notifications/list-notifications.ts';
export type { FollowHistoryOptions, HistoryOptions } from './use-cases/observe/ledger.ts';
export type { LedgerChoice } from './use-cases/observe/ledger-choice.ts';
export type {
  CompletedOutcome,
  FailedOutcome,
  FirstFailure,
  Outcome,
  StoppedOutcome,
} from './use-cases/observe/typed-outcome.ts';
export type { ListedSweep, SweepFilter } from './use-cases/parameter-sweep/list-sweeps.ts';
export type { SweepOptions } from './use-cases/parameter-sweep/sweep-options.ts';
export type { EvidenceChoice } from './use-cases/pods/evidence.ts';
export type { JobLogLine, JobLogOptions, PodChoice } from './use-cases/pods/log-options.ts';
export type { RerunPlan } from './use-cases/rerun/rerun-manifest.ts';
export type { RerunChanges, RerunOptions } from './use-cases/rerun/rerun-options.ts';
export type {
  OverlapPolicy,
  ScheduleDetails,
  ScheduledRun,
  ScheduleRequest,
  ScheduleSelector,
  ScheduleSummary,
} from './use-cases/schedules/schedule-types.ts';
