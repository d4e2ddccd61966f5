import { installCustomResources, type OperatorFiles } from '@signalbox/sandbox';
import { ClusterClient } from '../../cluster/client.ts';
import { SERVICES } from '../../contracts/kubernetes.ts';
import { KUBEFLOW_LABELS } from '../../contracts/labels.ts';
import { eventually } from '../eventually.ts';
import type { Place } from './bench-engine.ts';
import { type JobStart, type JobSystem, stopAndObserve, submitAndObserve } from './job-start.ts';
import { OperatorProcess } from './operator-process.ts';
import { usageOf } from './process-usage.ts';
import { followPyTorchJobs, PYTORCH_JOBS, type PyTorchJob } from './pytorch-jobs.ts';
import { NAMESPACE, type Workload, warmUpOf } from './workload.ts';

/** Times are milliseconds. */
export interface OperatorResult extends JobStart {
  readonly jobs: number;
  /** From the first DELETE of a job until every job and its pods are gone. */
  readonly stopped: number;
  /** Peak resident memory; absent elsewhere than on Linux. */
  readonly memoryMb?: number;
}

const COLLECTED_WITHIN = { withinMs: 120_000, everyMs: 250 };

/** Runs a workload on a training-operator of its own, after one uncounted job. */
export async function measureOperator(
  { kubeconfig, pids }: Place,
  { program, customResources }: OperatorFiles,
  workload: Workload,
): Promise<OperatorResult> {
  const cluster = await ClusterClient.connect({ kubeconfig });
  try {
    await installCustomResources(cluster, [customResources]);
    const operator = await OperatorProcess.start({ program, kubeconfig }, cluster);
    try {
      const all = { ...pids, 'training-operator': operator.pid, bench: process.pid };
      await runJobs(cluster, all, warmUpOf(workload));
      const measured = await runJobs(cluster, all, workload);
      return { jobs: workload.jobs, ...measured, memoryMb: (await usageOf(operator.pid))?.peakMb };
    } finally {
      await operator.stop();
    }
  } finally {
    await cluster.close();
  }
}

async function runJobs(
  cluster: ClusterClient,
  pids: JobSystem<PyTorchJob>['pids'],
  workload: Workload,
): Promise<JobStart & Pick<OperatorResult, 'stopped'>> {
  const started = await submitAndObserve(
    {
      ...{ cluster, pids, follow: followPyTorchJobs(workload.podsPerJob) },
      submit: (manifest) => cluster.create(PYTORCH_JOBS, manifest as PyTorchJob),
    },
    workload,
  );
  const stopped = await stopAndObserve(started, async ({ metadata: { name } }) => {
    await cluster.delete(PYTORCH_JOBS, NAMESPACE, name, { propagationPolicy: 'Background' });
  });
  await untilCollected(cluster);
  return { ...started.start, stopped };
}

/** The garbage collector may still delete Services, which must not disturb the next measurement. */
async function untilCollected(cluster: ClusterClient): Promise<void> {
  const selection = { namespace: NAMESPACE, labelSelector: KUBEFLOW_LABELS.jobName, limit: 1 };
  const isCollected = async () => (await cluster.list(SERVICES, selection)).items.length === 0;
  await eventually('the Services of the jobs are deleted', isCollected, COLLECTED_WITHIN);
}
