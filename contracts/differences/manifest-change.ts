/**
 * One value that a manifest changes.
 *
 * @public
 */
export interface ManifestChange {
  /** As errors write it, e.g. `spec.pytorchReplicaSpecs.Worker.replicas`. */
  readonly path: string;
  /** Absent if there was none. What looks like a secret is hidden. */
  readonly from?: unknown;
  /** Absent if there is none any more. */
  readonly to?: unknown;
}
