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
  /** How else than by its end it leaves a job alone. */
  readonly unless?: string;
}

/** How one is recognised in a cluster. */
interface Original extends Pick<OriginalOperator, 'name' | 'group' | 'kinds' | 'unless'> {
  readonly deployments: readonly string[];
  readonly leases: readonly string[];
  /** What its flag `controllers` calls the part that runs jobs, and may leave out. */
  readonly controller?: string;
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
  {
    ...{ name: 'Volcano', group: 'batch.volcano.sh', kinds: ['job'] },
    ...{ deployments: ['volcano-controllers'], leases: ['vc-controller-manager'] },
    controller: 'job-controller',
    unless: 'its flag --controllers has -job-controller',
  },
  {
    ...{ name: 'Kubeflow Trainer', group: 'trainer.kubeflow.org', kinds: ['trainjob'] },
    ...{ deployments: ['kubeflow-trainer-controller-manager'], leases: ['trainer.kubeflow.org'] },
  },
];

/** training-operator does not read managedBy of these, though the API has it. */
export const HEEDS_NO_MANAGER: ReadonlySet<string> = new Set(['JAXJob']);
