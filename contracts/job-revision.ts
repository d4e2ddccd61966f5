import type { KubeObject } from './kubernetes.ts';
import type { OnHang } from './policy.ts';
import type { Conventions, Plan } from './training-job.ts';
import type { ResourceIdentity } from './types.ts';

/** Names one revision of a job, and proves its content. */
interface RevisionId {
  /** 1 as submitted; each amendment adds one. */
  readonly number: number;
  /** SHA-256, in hex, of the job's JSON as the anchor holds it. */
  readonly sha256: string;
}

/** One revision of a job, without its templates: those are on the anchor. */
export interface JobRevision extends RevisionId {
  /** Text of the policy document, if an amendment replaced the manifest's. */
  readonly policy?: string;
  /** Accepted settings that may not be what the user meant. */
  readonly warnings: readonly string[];
}

/** A revision with the part of it that the machine reads. */
export interface PlannedRevision {
  readonly plan: Plan;
  readonly revision: JobRevision;
}

/** What an activity gets instead of the job: it reads the job from the anchor, or from its worker's memory. */
export interface JobReference extends RevisionId {
  readonly namespace: string;
  readonly name: string;
}

/** What admission added to the manifest, so that the job can be built again from the workflow alone. */
export interface AdmissionSettings {
  readonly namespace: string;
  readonly conventions: Conventions;
  /** The gang scheduler's spec.schedulerName if the configuration sets it. */
  readonly schedulerName?: string;
  /** Warnings about the choice of the gang scheduler. */
  readonly gangWarnings: readonly string[];
  /** The lane of a job whose policy names none; absent for a job without a lane. */
  readonly lane?: string;
  /** What follows when the job makes no steps, if its policy does not say it; absent: it is told. */
  readonly onHang?: OnHang;
  /** The custom resource that the job was made from; absent for jobs that were submitted. */
  readonly resource?: ResourceIdentity;
  /** Objects of the cluster that the manifest names and did not bring along, as they were at admission. */
  readonly references?: readonly KubeObject[];
}

/** Everything that a revision is built from. */
export interface JobSource {
  /** As submitted, or as it was applied last. */
  readonly manifest: unknown;
  readonly settings: AdmissionSettings;
  /** Number of the revision. */
  readonly revision: number;
  /** What amendments changed; absent for the first revision. */
  readonly amended?: {
    /** By role name. */
    readonly replicas: Readonly<Record<string, number>>;
    /** Text of the policy document. */
    readonly policy?: string;
    /** The manifest that was applied last, where `manifest` is another one. */
    readonly manifest?: unknown;
  };
}

/** Answer to a query for a job's source. */
export interface SourceAnswer extends JobSource {
  /** The manifest that an update applies at the moment. */
  readonly applying?: unknown;
  /** Number of the newest revision, which is the one on the anchor. */
  readonly newest: number;
}

/** Returns the name of a job's revision without its details. */
export const revisionIdOf = ({ number, sha256 }: RevisionId): RevisionId => ({ number, sha256 });
