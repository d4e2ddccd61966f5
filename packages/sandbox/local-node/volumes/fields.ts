/** Volumes of a pod's spec (core/v1, Kubernetes 1.36). The API server has validated them. */
export interface KeyToPath {
  readonly key: string;
  readonly path: string;
  readonly mode?: number;
}

interface Keyed {
  readonly items?: readonly KeyToPath[];
  readonly optional?: boolean;
}

type ConfigMapSource = Keyed & { readonly name: string };
type SecretSource = Keyed & { readonly secretName: string };
/** A `projected` volume names Secrets by `name`. */
type SecretProjection = Keyed & { readonly name: string };

export interface DownwardItem {
  readonly path: string;
  readonly mode?: number;
  readonly fieldRef?: { readonly fieldPath: string };
  readonly resourceFieldRef?: {
    readonly containerName?: string;
    readonly resource: string;
    readonly divisor?: string;
  };
}

export interface DownwardSource {
  readonly items?: readonly DownwardItem[];
}

interface WithMode {
  readonly defaultMode?: number;
}

export interface Projection {
  readonly configMap?: ConfigMapSource;
  readonly secret?: SecretProjection;
  readonly downwardAPI?: DownwardSource;
  readonly [kind: string]: unknown;
}

export interface Volume {
  readonly name: string;
  readonly configMap?: ConfigMapSource & WithMode;
  readonly secret?: SecretSource & WithMode;
  readonly emptyDir?: object;
  readonly hostPath?: { readonly path: string; readonly type?: string };
  readonly downwardAPI?: DownwardSource & WithMode;
  readonly projected?: { readonly sources?: readonly Projection[] } & WithMode;
  readonly [kind: string]: unknown;
}

export interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
  readonly subPath?: string;
  readonly subPathExpr?: string;
  readonly readOnly?: boolean;
}
