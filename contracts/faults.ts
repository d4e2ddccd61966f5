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
  /** Nothing reads the field; where unknown fields are accepted, it is no fault. */
  readonly isUnknown?: true;
}

export const formatFault = ({ path, expected, got }: Fault) => `${path}: expected ${expected}, got ${got}`;
