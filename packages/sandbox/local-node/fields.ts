import type { Container, EnvVar, Pod, PodSpec, RestartPolicy } from '../engine.ts';
import type { Volume, VolumeMount } from './volumes/fields.ts';

/** The fields of a pod that only its node needs (core/v1, Kubernetes 1.36). The API server has validated them. */
export interface RunnablePod extends Pod {
  readonly spec: RunnableSpec;
}

interface RunnableSpec extends PodSpec {
  readonly containers: readonly RunnableContainer[];
  readonly initContainers?: readonly RunnableContainer[];
  readonly hostname?: string;
  readonly subdomain?: string;
  readonly hostAliases?: readonly { readonly ip: string; readonly hostnames?: readonly string[] }[];
  readonly activeDeadlineSeconds?: number;
  readonly serviceAccountName?: string;
  readonly hostNetwork?: boolean;
  readonly dnsConfig?: { readonly searches?: readonly string[] };
  readonly volumes?: readonly Volume[];
}

export interface RunnableContainer extends Container {
  readonly env?: readonly (EnvVar & { readonly valueFrom?: ValueFrom })[];
  readonly envFrom?: readonly EnvFrom[];
  readonly livenessProbe?: Probe & { readonly terminationGracePeriodSeconds?: number };
  readonly readinessProbe?: Probe;
  readonly lifecycle?: { readonly preStop?: PreStop };
  readonly restartPolicy?: RestartPolicy;
  readonly terminationMessagePolicy?: 'File' | 'FallbackToLogsOnError';
  readonly resources?: Readonly<Record<'requests' | 'limits', Readonly<Record<string, string>> | undefined>>;
  readonly volumeMounts?: readonly VolumeMount[];
}

export const graceSecondsOf = ({ spec }: Pod): number => spec.terminationGracePeriodSeconds ?? 30;

/** Of init containers: one that goes on beside the others. */
export const isSidecar = ({ restartPolicy }: RunnableContainer): boolean => restartPolicy === 'Always';

interface KeyRef {
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean;
}

export interface ResourceFieldRef {
  readonly containerName?: string;
  readonly resource: string;
  readonly divisor?: string;
}

/** A type, because an interface is not assignable to a record of unknowns. */
export type ValueFrom = {
  readonly configMapKeyRef?: KeyRef;
  readonly secretKeyRef?: KeyRef;
  readonly fieldRef?: { readonly fieldPath: string };
  readonly resourceFieldRef?: ResourceFieldRef;
};

export type EnvFrom = {
  readonly prefix?: string;
  readonly configMapRef?: { readonly name: string; readonly optional?: boolean };
  readonly secretRef?: { readonly name: string; readonly optional?: boolean };
};

/** The supported handlers. */
export interface PreStop {
  readonly exec?: { readonly command: readonly string[] };
  readonly sleep?: { readonly seconds: number };
}

export interface Probe {
  readonly httpGet?: {
    readonly path?: string;
    readonly port: number | string;
    readonly host?: string;
    readonly scheme?: string;
    readonly httpHeaders?: readonly { readonly name: string; readonly value: string }[];
  };
  readonly tcpSocket?: { readonly port: number | string; readonly host?: string };
  readonly exec?: { readonly command: readonly string[] };
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly timeoutSeconds?: number;
  readonly successThreshold?: number;
  readonly failureThreshold?: number;
}
