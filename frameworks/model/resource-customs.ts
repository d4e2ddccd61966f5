import type { KubeObject, Resource } from '../../contracts/kubernetes.ts';
import type { JobStatus } from '../../contracts/types.ts';
import type { Fields } from '../../language/fields.ts';

/** How a kind's custom resource shows a job, where it is otherwise than Kubeflow's. */
export interface ResourceCustoms {
  readonly shortNames?: readonly string[];
  /** What kubectl shows; the columns of other kinds are added to its wide form. */
  readonly columns: readonly Fields[];
  /** Schemas of the fields of status that it has instead of conditions, replicaStatuses, startTime and completionTime. */
  readonly statusFields: Fields;
  /** Returns the fields of status that follow from spec alone, whatever form that has. */
  ofSpec(spec: unknown): Fields;
  /** Returns the other ones. */
  status(job: ShownJob): Fields;
  /** Objects by which people ask something of a job. */
  readonly requests?: RequestObjects;
  /** Expression for the phase that a status shows as its state, of the old object; absent if conditions say it. */
  readonly celPhase?: string;
  /** Expression for what of an object decides what its pods run; absent if roles with templates do. */
  readonly celPowers?: (object: string) => string;
  /** It stays when its time to live is over and all else of the job is deleted; default: it goes, too. */
  readonly outlivesTtl?: true;
  /** Whether a status, whoever has written it, says that the job has begun, beside what other kinds' would say. */
  saysBegun?(status: Fields): boolean;
}

/** Objects that are deleted once a job was asked. */
export interface RequestObjects {
  readonly resource: Resource<KubeObject>;
  /** Schemas of their fields. */
  readonly fields: Fields;
  /** Undefined if it asks nothing of a job. */
  read(object: KubeObject): RequestOfObject | undefined;
}

export interface RequestOfObject {
  /** Of the resource of the job. */
  readonly uid: string;
  /** In the words of the object. */
  readonly action: string;
  /** Absent: signalbox does not do that. */
  readonly request?: 'suspend' | 'resume' | 'stop';
  /** What does the same, if it is absent. */
  readonly instead?: string;
}

/** What is known of a job whose resource is written: nothing before it has an anchor but its phase, and why. */
export interface ShownJob
  extends Pick<JobStatus, 'phase'>,
    Partial<
      Pick<
        JobStatus,
        | ('state' | 'attempt' | 'restarts' | 'cause' | 'replicaStatuses' | 'wanted')
        | ('startTime' | 'completionTime' | 'since' | 'timeline' | 'progress')
      >
    > {
  /** There may be pods that nobody has counted: while they start, and until all are gone. */
  readonly mayHavePods: boolean;
  /** What the resource shows already. */
  readonly shown: Fields;
  /** RFC 3339; when what is new became true. */
  readonly at: string;
}
