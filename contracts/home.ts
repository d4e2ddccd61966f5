/** Where a job is at home: one cluster can serve several installations, and one Temporal namespace several clusters. */
export interface Home {
  /** Id of the Temporal namespace that its workflow is in. */
  readonly installation: string;
  /** The Kubernetes cluster that its objects are in; undefined where nobody may know it. */
  readonly clusterId?: string;
}
