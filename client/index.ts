/**
 * The client of signalbox: submits training jobs, waits for them, and steers them.
 *
 * @packageDocumentation
 */
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
  AmendRequest,
  ExtendRequest,
  HoldRequest,
  Intervention,
  ScaleRequest,
  StopRequest,
} from '../contracts/messages.ts';
export { REASONS, type ReasonCode, type ReasonEntry } from '../contracts/reasons.ts';
export type { ClusterSettings, EvidenceSettings, TemporalSettings } from '../contracts/settings.ts';
export type {
  Cause,
  FinalPhase,
  JobStatus,
  Phase,
  ReplicaCount,
  ReplicaStatus,
  TimelineEntry,
} from '../contracts/status.ts';
export { FINAL_PHASES, PHASES } from '../contracts/status.ts';
export { SignalboxClient } from './client.ts';
export type {
  CallOptions,
  ClientSettings,
  JobSelector,
  SubmissionResult,
  SubmitOptions,
  WaitOptions,
} from './client-settings.ts';
export {
  EvidenceAwayError,
  InvalidManifestError,
  JobEndedError,
  JobNotFoundError,
  KeyReusedError,
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
export type { FollowOptions } from './history.ts';
export type { AnyCase, JobFilter } from './job-filter.ts';
export type { JobHandle } from './job-handle.ts';
export type { JobLogLine, JobLogOptions, PodChoice } from './logs/log-options.ts';
export type { Manifest } from './manifest.ts';
export type { KnownStatus } from './recorded-status.ts';
export type { JobSchedules } from './schedules/job-schedules.ts';
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
