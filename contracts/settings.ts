/** Settings of the processes, read from flags and environment and validated by the command line. */

import type { LanesReference } from './lane-request.ts';
import type { OnHang } from './policy.ts';
import type { Conventions, GangChoice } from './training-job.ts';

/**
 * Where Temporal is, and how to speak to it.
 *
 * @public
 */
export interface TemporalSettings {
  /** `host:port` of the frontend. */
  readonly address: string;
  readonly namespace: string;
  readonly apiKey?: string;
  readonly tls?: TlsSettings;
  /** Path of a module whose default export is a Temporal `DataConverter`, e.g. with a payload codec that encrypts. */
  readonly dataConverter?: string;
}

/** @public */
export interface TlsSettings {
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  /** The name in the server's certificate, if the address has another one. */
  readonly serverName?: string;
}

/**
 * Where the Kubernetes cluster is, and how to speak to it.
 *
 * @public
 */
export interface ClusterSettings {
  /** If absent, found as kubectl finds it. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Maximum number of requests in flight; also the size of the connection pool. */
  readonly connections: number;
  /** Serve only jobs in these namespaces; in all if absent. */
  readonly namespaces?: readonly string[];
  /** Identifies this cluster; the uid of its namespace kube-system if absent. */
  readonly id?: string;
}

export interface ProcessSettings {
  readonly temporal: TemporalSettings;
  readonly cluster: ClusterSettings;
  readonly taskQueue: string;
  /** Where the lanes are that jobs wait in; absent without lanes. */
  readonly lanes?: LanesReference;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  /** Health (`/healthz`, `/readyz`) and metrics (`/metrics`); port 0 picks a free one. */
  readonly http: { readonly host: string; readonly port: number };
}

export interface WorkerSettings extends ProcessSettings {
  /** Namespace of jobs that name none; undefined if none was set. */
  readonly namespace?: string;
  /** How Temporal shows this worker; default: process and host. */
  readonly workerIdentity?: string;
  readonly jobs: JobSettings;
  readonly archive: ArchiveSettings;
  /** Processes under one command that share its work and its memory; `auto`: one for each core. */
  readonly processes: number | 'auto';
  /** Maximum number of activities that run at once, per process. */
  readonly activities: number;
  /** Maximum number of workflows in memory, per process; `auto`: as many as fit. */
  readonly cachedWorkflows: number | 'auto';
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

/**
 * Defaults of the workers that change how a manifest is read and what it creates.
 *
 * @public
 */
export interface JobConfiguration {
  readonly conventions: Conventions;
  /** The gang scheduler of jobs that do not name one. */
  readonly gang: GangChoice;
  /** spec.schedulerName under which Coscheduling runs. */
  readonly coschedulingName: string;
}

/** Defaults for what manifests leave open. */
export interface JobSettings extends JobConfiguration {
  readonly evidence: EvidenceSettings;
  /** How long objects of ended jobs stay in the cluster if the manifest does not set it; forever if absent. */
  readonly keepEndedMs?: number;
  /** What follows when a job makes no steps whose policy does not say it; `tell` by default. */
  readonly onHang?: OnHang;
  /** Where people reach the console, without a slash at the end; jobs tell it. */
  readonly consoleUrl?: string;
  /** Admit only jobs of custom resources. */
  readonly requireResource?: boolean;
  /** The API server notes who wrote a custom resource, and lets nobody else do so. */
  readonly requesterStamped?: boolean;
}

export const BRIDGE_TAKES = ['all', 'own'] as const;

/** Which custom resources a bridge runs: all of its kinds, or those whose `managedBy` names signalbox. */
export type BridgeTakes = (typeof BRIDGE_TAKES)[number];

export const EVIDENCE_STORES = ['files', 's3'] as const;

/**
 * Where evidence of failed pods is kept.
 *
 * @public
 */
export type EvidenceSettings = StoreSettings;

/**
 * A directory, or a bucket of Amazon S3 or of a compatible server.
 *
 * @public
 */
export type StoreSettings = { readonly store: 'files'; readonly directory: string } | S3Settings;

/** @public */
export interface S3Settings {
  readonly store: 's3';
  readonly bucket: string;
  readonly prefix?: string;
  readonly region?: string;
  /** Of an S3-compatible server; AWS if absent. Credentials come from the environment, as in all S3 tools. */
  readonly endpoint?: string;
}

export const ARCHIVE_STORES = [...EVIDENCE_STORES, 'none'] as const;

/** Where the archive of jobs is, and what proves that nobody changed it. */
export interface ArchiveSettings {
  /** Absent: nothing is archived. */
  readonly store?: StoreSettings;
  /** Origin of the archive's log, and the name of its key. */
  readonly name: string;
  /** The private key that signs the log: Ed25519 in PEM (PKCS 8), or the path of a file with it. */
  readonly key?: string;
  /** What a reader verifies the log with, if it does not have the private key. */
  readonly publicKey?: string;
}

export const CONSOLE_IDENTITIES = ['none', 'proxy', 'kubernetes', 'oidc'] as const;

/** An OpenID provider, and what of its answers counts. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Path of a file; absent for a public client. */
  readonly secretFile?: string;
  /** With spaces between them. */
  readonly scopes: string;
  readonly userClaim: string;
  readonly groupsClaim: string;
  /** Of whom any may use the console; empty for all people. */
  readonly allowedGroups: readonly string[];
  readonly sessionMs: number;
}

/** Where the console listens, and how it knows who asks. */
export interface ConsoleSettings {
  readonly host: string;
  readonly port: number;
  /** The address in people's browsers, if it is another one. */
  readonly url?: string;
  /** `none`: whoever reaches it is the user of the process; `proxy`: as a proxy says; `kubernetes`: by a token of the cluster; `oidc`: as an OpenID provider says. */
  readonly identity: (typeof CONSOLE_IDENTITIES)[number];
  /** The addresses of the proxies that are believed, as CIDR. */
  readonly proxies: readonly string[];
  readonly userHeader: string;
  readonly groupsHeader: string;
  readonly oidc?: OidcSettings;
  /** Path of the key of sessions and forms, which several processes share. */
  readonly sessionKeyFile?: string;
  /** Nobody can change anything. */
  readonly isReadOnly: boolean;
  /** The address of Temporal's UI, for links. */
  readonly temporalUi?: string;
}

/** A started part of a process. `failed` rejects only if it fails by itself; `stop` shuts it down in order. */
export interface Running {
  readonly failed: Promise<never>;
  /** Returns why it is not ready; undefined if it is. */
  unready(): string | undefined;
  /** Returns what does not work although it is ready. */
  impaired?(): string | undefined;
  /** Metrics in Prometheus' text format that are not in prom-client's registry. */
  metrics?(): Promise<string>;
  stop(): Promise<void>;
}
