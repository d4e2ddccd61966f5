/** One fault of a manifest. Written as `path: expected ..., got ...`. */
export interface Fault {
  /** E.g. `spec.pytorchReplicaSpecs.Worker.replicas`. */
  readonly path: string;
  readonly expected: string;
  readonly got: string;
}
