/** An operator that signalbox takes the place of, and that runs in this cluster. */
export interface OriginalOperator {
  readonly name: string;
  /** By what it was found, e.g. `Deployment kubeflow/training-operator`. */
  readonly found: string;
  readonly group: string;
  /** The kinds that it takes, in lower case. */
  readonly kinds: readonly string[];
  /** The only namespace whose jobs it takes. */
  readonly namespace?: string;
}

/** How one is recognised in a cluster. */
interface Original extends Pick<OriginalOperator, 'name' | 'group' | 'kinds'> {
  readonly deployments: readonly string[];
  readonly leases: readonly string[];
}

/** As their own manifests call them. */
export const ORIGINAL_OPERATORS: readonly Original[] = [
  {
    ...{ name: 'training-operator', group: 'kubeflow.org' },
    kinds: ['pytorchjob', 'tfjob', 'xgboostjob', 'paddlejob', 'jaxjob', 'mpijob'],
    deployments: ['training-operator'],
    leases: ['1ca428e5.training-operator.kubeflow.org'],
  },
  {
    ...{ name: 'mpi-operator', group: 'kubeflow.org', kinds: ['mpijob'] },
    ...{ deployments: ['mpi-operator'], leases: ['mpi-operator'] },
  },
  {
    ...{ name: 'paddle-operator', group: 'batch.paddlepaddle.org', kinds: ['paddlejob'] },
    ...{ deployments: ['paddle-controller-manager'], leases: ['b2a304f2.paddlepaddle.org'] },
  },
];

/** JAXJobs are the one kind whose managedBy training-operator does not read. */
const HEEDS_NO_MANAGER: ReadonlySet<string> = new Set(['jaxjob']);

interface AskedJob {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  /** Its managedBy names signalbox. */
  readonly isOwn: boolean;
}

/** Returns the operator that would run a job as well. */
export const rivalOf = (
  operators: readonly OriginalOperator[],
  { apiVersion, kind, namespace, isOwn }: AskedJob,
): OriginalOperator | undefined =>
  operators.find(
    (one) =>
      apiVersion.startsWith(`${one.group}/`) &&
      one.kinds.includes(kind.toLowerCase()) &&
      (one.namespace ?? namespace) === namespace &&
      !(isOwn && !HEEDS_NO_MANAGER.has(kind.toLowerCase())),
  );
