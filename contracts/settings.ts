/** How the processes are configured, after the command line has read flags and environment and checked them. */

import type { Conventions, GangChoice } from './training-job.ts';

export interface TemporalSettings {
  /** `host:port` of the frontend. */
  readonly address: string;
  readonly namespace: string;
  readonly apiKey?: string;
  readonly tls?: { readonly caFile?: string; readonly certFile?: string; readonly keyFile?: string };
  /** Path of a module whose default export is a Temporal `DataConverter`, e.g. with a payload codec that encrypts. */
  readonly dataConverter?: string;
}

export interface ClusterSettings {
  /** Without one: as kubectl finds it. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Requests in flight at most; also the size of the connection pool. */
  readonly connections: number;
  /** Only jobs of this namespace; all namespaces without one. */
  readonly namespace?: string;
  /** What tells this cluster from others; the uid of its namespace kube-system without one. */
  readonly id?: string;
}

export interface ProcessSettings {
  readonly temporal: TemporalSettings;
  readonly cluster: ClusterSettings;
  readonly taskQueue: string;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  /** Health (`/healthz`, `/readyz`) and metrics (`/metrics`); port 0 picks a free one. */
  readonly http: { readonly host: string; readonly port: number };
}

export interface WorkerSettings extends ProcessSettings {
  readonly jobs: JobSettings;
  /** That run at once, at most. */
  readonly activities: number;
  /** Which build of a Worker Deployment this worker is; without one it takes every task of its queue. */
  readonly deployment?: DeploymentSettings;
}

export const UPGRADE_BEHAVIORS = ['auto-upgrade', 'pinned'] as const;

/** Temporal's worker versioning. */
export interface DeploymentSettings {
  readonly name: string;
  readonly buildId: string;
  /** Whether running jobs move to the deployment's current version, or end on the one that they started on. */
  readonly upgrade: (typeof UPGRADE_BEHAVIORS)[number];
}

/** What jobs are given where their manifests leave it open. */
export interface JobSettings {
  readonly conventions: Conventions;
  /** The gang scheduler of jobs that do not name one. */
  readonly gang: GangChoice;
  /** spec.schedulerName under which Coscheduling runs. */
  readonly coschedulingName: string;
  readonly evidence: EvidenceSettings;
  /** How long what is left of ended jobs stays in the cluster, where their manifests do not say; for ever without one. */
  readonly keepEndedMs?: number;
}

export const EVIDENCE_STORES = ['files', 's3'] as const;

/** Where evidence of failed pods is kept. */
export type EvidenceSettings =
  | { readonly store: 'files'; readonly directory: string }
  | {
      readonly store: 's3';
      readonly bucket: string;
      readonly prefix?: string;
      readonly region?: string;
      /** Of an S3-compatible server; AWS without one. Credentials come from the environment, as every S3 tool reads them. */
      readonly endpoint?: string;
    };

/** A started process part: `failed` settles only if it breaks by itself; `stop` ends it in order. */
export interface Running {
  readonly failed: Promise<never>;
  /** Why it is not ready, or undefined if it is. */
  unready(): string | undefined;
  /** What it does without although it is ready. */
  impaired?(): string | undefined;
  /** Metrics in Prometheus' text format that are not in prom-client's registry. */
  metrics?(): Promise<string>;
  stop(): Promise<void>;
}
