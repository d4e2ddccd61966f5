import { type BuilderOptions, JOB_OPTIONS, POD_OPTIONS } from './common-options.ts';

/** How the manifests of a kind are built. The builders of each language follow from this, with their types and docs. */
export interface BuilderKind {
  /** As the schema's type is called. */
  readonly manifest: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** What is built, with its article. */
  readonly makes: string;
  /** Said of the options. */
  readonly doc?: string;
  readonly example: Readonly<Record<string, unknown>>;
  /** backoffLimit of a job that is not to restart; default: none, as the restart policy says it. */
  readonly backoffLimitOfNever?: number;
  /** Beside the common ones, or instead of one. */
  readonly options: BuilderOptions;
  readonly rolesAt: readonly ['spec', ...string[]];
  /**
   * Written as a `list`, in which each says its name; or as `patches` of a runtime, which has the pods: absent without anything
   * to patch. Default: by name.
   */
  readonly rolesAre?: 'list' | 'patches';
  readonly roles: readonly BuilderRole[];
}

export interface BuilderRole {
  readonly name: string;
  readonly container: string;
  /** There is no such role with 0 replicas. */
  readonly replicas: RoleSize;
  /** The role exists only with this option, or only without it. */
  readonly onlyWith?: string;
  readonly unless?: string;
  /** Options that are not for its pods. */
  readonly without?: readonly string[];
  /** Its pods restart only as the option `restartPolicy` says, if given. */
  readonly hasOwnRestarts?: true;
}

/** The value of an option, less a number, within limits. */
export interface RoleSize {
  readonly of?: string;
  readonly less?: number;
  readonly least?: number;
  readonly most?: number;
}

export const KUBEFLOW = 'kubeflow.org/';

/** A kind of kubeflow.org has `JOB_OPTIONS`: its program is restarted only if an option asks for that. */
export const isOfKubeflow = ({ apiVersion }: BuilderKind) => apiVersion.startsWith(KUBEFLOW);

/** Those that only its builder has: one that is written elsewhere is the same to who builds. */
export const ownOptions = ({ options }: BuilderKind): BuilderOptions =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !Object.hasOwn(POD_OPTIONS, name)));

export const optionsOf = (kind: BuilderKind): BuilderOptions => ({
  ...POD_OPTIONS,
  ...(isOfKubeflow(kind) ? JOB_OPTIONS : {}),
  ...kind.options,
});
