import { DEFAULT_KUBERNETES_VERSION, type KubernetesVersion } from '../kubernetes-versions.ts';
import { actionlint } from './actionlint/program.ts';
import { coredns } from './coredns/program.ts';
import { cosign } from './cosign/program.ts';
import { crane } from './crane/program.ts';
import { dockerCompose } from './docker-compose/program.ts';
import { etcd } from './etcd/program.ts';
import { gitopsHealth } from './gitops-health/program.ts';
import { helm, kubectl } from './helm/program.ts';
import { jobsetController } from './jobset/program.ts';
import { karpenter } from './karpenter/program.ts';
import { kubernetesPrograms } from './kubernetes/program.ts';
import { kueueManager } from './kueue/program.ts';
import { kwok } from './kwok/program.ts';
import { mpiOperator } from './mpi-operator/program.ts';
import type { Program } from './program.ts';
import { schedulerPluginsController, schedulerPluginsScheduler } from './scheduler-plugins/program.ts';
import { temporal } from './temporal/program.ts';
import { temporalServer, temporalSqlTool } from './temporal-server/program.ts';
import { temporalUi } from './temporal-ui/program.ts';
import { trainerController } from './trainer/program.ts';
import { trainingOperator } from './training-operator/program.ts';
import { vcControllerManager, vcScheduler } from './volcano/program.ts';

/** All programs of the sandbox, of its benches and of tests. To add one, create a folder with its go.mod and program.ts. */
export const programs = {
  temporal,
  etcd,
  ...kubernetesPrograms(DEFAULT_KUBERNETES_VERSION),
  coredns,
  kwok,
  'vc-scheduler': vcScheduler,
  'vc-controller-manager': vcControllerManager,
  'scheduler-plugins-scheduler': schedulerPluginsScheduler,
  'scheduler-plugins-controller': schedulerPluginsController,
  'training-operator': trainingOperator,
  'mpi-operator': mpiOperator,
  jobset: jobsetController,
  trainer: trainerController,
  kueue: kueueManager,
  karpenter,
  'gitops-health': gitopsHealth,
  helm,
  kubectl,
  actionlint,
  cosign,
  crane,
  'temporal-server': temporalServer,
  'temporal-sql-tool': temporalSqlTool,
  'temporal-ui': temporalUi,
  'docker-compose': dockerCompose,
} as const satisfies Record<string, Program>;

/** The same, with the programs of this version of Kubernetes. */
export const programsWith = (kubernetes: KubernetesVersion): Readonly<Record<ProgramName, Program>> => ({
  ...programs,
  ...kubernetesPrograms(kubernetes),
});

export type ProgramName = keyof typeof programs;
