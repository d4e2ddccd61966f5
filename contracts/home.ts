/** Where a job belongs. One cluster can serve several installations, and one Temporal namespace several clusters. */
export interface Home {
  /** Id of the Temporal namespace of its workflow. */
  readonly installation: string;
  /** The Kubernetes cluster of its objects; undefined if signalbox may not read the cluster's id. */
  readonly clusterId?: string;
}
