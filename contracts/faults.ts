/**
 * One fault of a manifest.
 *
 * @public
 */
export interface Fault {
  /** E.g. `spec.pytorchReplicaSpecs.Worker.replicas`. */
  readonly path: string;
  readonly expected: string;
  readonly got: string;
}

export const formatFault = ({ path, expected, got }: Fault) => `${path}: expected ${expected}, got ${got}`;
