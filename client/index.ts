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
export type { EvidenceSummary } from '../contracts/evidence.ts';
export type {
  ConditionEvidence,
  ContainerEvidence,
  ContainerStateEvidence,
  EventEvidence,
  EvidenceRecord,
  LogExcerpt,
  NodeEvidence,
} from '../contracts/evidence-record.ts';
export type { Fault } from '../contracts/faults.ts';
export type { Condition, KubeObject, ObjectMeta, OwnerReference } from '../contracts/kubernetes.ts';
export type {
  LedgerCause,
  LedgerCounts,
  LedgerEffect,
  LedgerEntry,
  LedgerPod,
  LedgerWho,
} from '../contracts/ledger.ts';
export type {
  AmendRequest,
  ExtendRequest,
  HoldRequest,
  Intervention,
  ScaleRequest,
  StopRequest,
} from '../contracts/messages.ts';
export type { ParentJob } from '../contracts/parent-job.ts';
export type { PodsRecord, RecordedContainer, RecordedPod } from '../contracts/pods-record.ts';
export { REASONS, type ReasonCode, type ReasonEntry } from '../contracts/reasons.ts';
export type {
  ClusterSettings,
  EvidenceSettings,
  S3Settings,
  StoreSettings,
  TemporalSettings,
} from '../contracts/settings.ts';
export type {
  Cause,
  FinalPhase,
  JobStatus,
  OtherCause,
  Phase,
  ReplicaCount,
  ReplicaStatus,
  TimelineEntry,
} from '../contracts/status.ts';
export { FINAL_PHASES, PHASES } from '../contracts/status.ts';
export type { ManifestEdit } from '../frameworks/manifest/edit-manifest.ts';
export type { ArchivedRevision } from '../record/archive/archived-job.ts';
export type { FindingKind, StoreFinding } from '../record/verify/verification.ts';
export type { ApplyOptions, ApplyResult, ManifestChange } from './apply/apply-options.ts';
export type { ArchiveReader, ListArchivedOptions } from './archive/archive-reader.ts';
export type { ArchivedJobHandle } from './archive/archived-job-handle.ts';
export type { ArchivedJobFilter } from './archive/list-archived.ts';
export { openArchive } from './archive/open-archive.ts';
export type { OpenArchiveOptions } from './archive/open-archive-options.ts';
export type {
  JobVerification,
  StoreVerification,
  VerifyOptions,
  VerifyStoreOptions,
} from './archive/verification.ts';
export type { AnyJobOptions, JobOptions } from './builders/builder-options.ts';
export { type JAXJobOptions, jaxJob } from './builders/jax-job.ts';
export { type MPIJobOptions, type MPIJobV2Options, mpiJob, mpiJobV2 } from './builders/mpi-job.ts';
export { type PaddleJobOptions, paddleJob } from './builders/paddle-job.ts';
export { type PaddleOperatorJobOptions, paddleOperatorJob } from './builders/paddle-operator-job.ts';
export { type PyTorchJobOptions, pytorchJob } from './builders/pytorch-job.ts';
export { type TFJobOptions, tfJob } from './builders/tf-job.ts';
export { type XGBoostJobOptions, xgboostJob } from './builders/xgboost-job.ts';
export { SignalboxClient } from './client.ts';
export type {
  CallOptions,
  CleanUpOptions,
  ClientSettings,
  JobSelector,
  SubmissionResult,
  SubmitOptions,
  WaitOptions,
} from './client-settings.ts';
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
  MissingRequirementError,
  NameTakenError,
  NoEvidenceError,
  NoLogError,
  RefusedError,
  ServerAwayError,
  WaitTimeoutError,
  WorkerAwayError,
} from './errors.ts';
export type { EvidenceChoice } from './evidence.ts';
export type { Explanation } from './explanation.ts';
export type { AppliedJob } from './handles/applied-job.ts';
export type { JobArchiver } from './handles/job-archiver.ts';
export type { JobSchedules } from './handles/job-schedules.ts';
export type { FollowOptions } from './history.ts';
export type { AnyCase, JobFilter } from './job-filter.ts';
export type { JobHandle } from './job-handle.ts';
export type { FollowHistoryOptions, HistoryOptions } from './ledger.ts';
export type { LedgerChoice } from './ledger-choice.ts';
export type { JobLogLine, JobLogOptions, PodChoice } from './logs/log-options.ts';
export type {
  JAXJob,
  JAXJobRoles,
  JAXJobSpec,
  JAXJobWorker,
  JobAnnotations,
  JobMetadata,
  JobPolicy,
  ManifestContainer,
  ManifestContainerPort,
  ManifestEnvVar,
  ManifestPodMetadata,
  ManifestPodSpec,
  ManifestPodTemplate,
  ManifestQuantity,
  ManifestRunPolicy,
  ManifestSchedulingPolicy,
  ManifestVolume,
  ManifestVolumeMount,
  MPIJob,
  MPIJobLauncher,
  MPIJobRoles,
  MPIJobSpec,
  MPIJobV2,
  MPIJobV2Launcher,
  MPIJobV2Roles,
  MPIJobV2Spec,
  MPIJobV2Worker,
  MPIJobWorker,
  PaddleElasticPolicy,
  PaddleJob,
  PaddleJobMaster,
  PaddleJobRoles,
  PaddleJobSpec,
  PaddleJobWorker,
  PaddleOperatorJob,
  PaddleOperatorJobHeter,
  PaddleOperatorJobPs,
  PaddleOperatorJobSpec,
  PaddleOperatorJobWorker,
  PaddleSchedulingPolicy,
  PyTorchElasticPolicy,
  PyTorchJob,
  PyTorchJobMaster,
  PyTorchJobRoles,
  PyTorchJobSpec,
  PyTorchJobWorker,
  RendezvousSetting,
  ResourceRequirements,
  TFJob,
  TFJobChief,
  TFJobEvaluator,
  TFJobMaster,
  TFJobPS,
  TFJobRoles,
  TFJobSpec,
  TFJobWorker,
  TrainingManifest,
  XGBoostJob,
  XGBoostJobMaster,
  XGBoostJobRoles,
  XGBoostJobSpec,
  XGBoostJobWorker,
} from './manifests.ts';
export type { Manifest } from './named-manifest.ts';
export type { KnownStatus } from './recorded-status.ts';
export type { RerunPlan } from './rerun/rerun-manifest.ts';
export type { RerunChanges, RerunOptions } from './rerun/rerun-options.ts';
export {
  InvalidScheduleError,
  ScheduleExistsError,
  ScheduleNotFoundError,
} from './schedules/schedule-errors.ts';
export type {
  OverlapPolicy,
  ScheduleDetails,
  ScheduledRun,
  ScheduleRequest,
  ScheduleSelector,
  ScheduleSummary,
} from './schedules/schedule-types.ts';
export { type ErrorCode, SignalboxError } from './signalbox-error.ts';
export type { JobSummary } from './summary.ts';
export type {
  CompletedOutcome,
  FailedOutcome,
  FirstFailure,
  Outcome,
  StoppedOutcome,
} from './typed-outcome.ts';
export type { ArchiverStatus, EndedRun } from './use-cases/archive/archiver.ts';
