import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KubeObject, Resource } from '../engine.ts';
import { SandboxError } from '../errors.ts';
import type { GangProgramName } from '../gang-schedulers.ts';
import type { Component } from './component.ts';
import type { Context } from './context.ts';
import { answersOk, textAt } from './readiness.ts';

const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 3_000;

interface Queue extends KubeObject {
  readonly status?: { readonly state?: string };
}

const QUEUES: Resource<Queue> = {
  apiVersion: 'scheduling.volcano.sh/v1beta1',
  kind: 'Queue',
  plural: 'queues',
  namespaced: false,
};

/** What starts each component of gang schedulers. */
export const gangSchedulers = {
  'vc-scheduler': launchVolcanoScheduler,
  'vc-controller-manager': launchVolcanoControllers,
  'scheduler-plugins-scheduler': launchSchedulerPluginsScheduler,
  'scheduler-plugins-controller': launchSchedulerPluginsController,
};

/** Schedules pods whose schedulerName is `volcano`; creates the queue `default` when it starts. */
function launchVolcanoScheduler(context: Context): Component {
  const { launch, layout } = context;
  const address = `127.0.0.1:${launch.ports.vcScheduler}`;
  return {
    name: 'vc-scheduler',
    program: programOf(context, 'vc-scheduler'),
    args: [
      `--kubeconfig=${layout.kubeconfig}`,
      '--leader-elect=false',
      '--scheduler-name=volcano',
      `--scheduler-conf=${fileURLToPath(new URL('../volcano/scheduler.yaml', import.meta.url))}`,
      '--schedule-period=200ms', // default 1s; idle, the default takes 0.7 % of a core, and this 0.9 %
      '--kube-api-qps=5000',
      '--kube-api-burst=5000',
      '--enable-metrics',
      `--listen-address=${address}`,
      '--cache-dumper=false', // it would write to a folder that all sandboxes share
      '--feature-gates=ResourceTopology=false', // no node here reports its NUMA topology
    ],
    env: volcanoEnvironment(context),
    // the health port answers before the cache is filled; a completed scheduling session proves that it is
    isReady: async () => hasScheduled(await textAt(`http://${address}/metrics`)),
    readyWithinMs: READY_WITHIN_MS,
    stopWithinMs: STOP_WITHIN_MS,
  };
}

function hasScheduled(metrics: string): boolean {
  const sessions = /^volcano_e2e_scheduling_latency_milliseconds_count (\d+)$/m.exec(metrics)?.[1];
  return Number(sessions ?? 0) > 0;
}

/** Maintains the state of queues, and creates groups for Volcano's pods that name none. */
function launchVolcanoControllers(context: Context): Component {
  const { launch, layout, cluster } = context;
  const address = `127.0.0.1:${launch.ports.vcControllerManager}`;
  return {
    name: 'vc-controller-manager',
    program: programOf(context, 'vc-controller-manager'),
    args: [
      `--kubeconfig=${layout.kubeconfig}`,
      '--leader-elect=false',
      '--scheduler-name=volcano',
      '--controllers=+queue-controller,+pg-controller', // the others are for Volcano's own kinds of jobs
      '--kube-api-qps=1000',
      '--kube-api-burst=2000',
      '--enable-healthz',
      `--healthz-address=${address}`,
    ],
    env: volcanoEnvironment(context),
    isReady: async () =>
      (await answersOk(`http://${address}/healthz`)) &&
      isOpen(await cluster().get(QUEUES, undefined, 'default')),
    readyWithinMs: READY_WITHIN_MS,
    stopWithinMs: STOP_WITHIN_MS,
  };
}

function isOpen(queue: Queue): boolean {
  return queue.status?.state === 'Open';
}

/**
 * Regardless of its flags, Volcano opens a second client (for virtual GPUs) from its cluster's environment or the
 * user's kubeconfig, and a socket in a folder that all sandboxes share.
 */
function volcanoEnvironment({ layout }: Context): Record<string, string> {
  return {
    KUBERNETES_SERVICE_HOST: '',
    KUBECONFIG: layout.kubeconfig,
    DEBUG_SOCKET_DIR: layout.volcanoSockets,
  };
}

/** kube-scheduler 1.32 with Coscheduling, for pods whose schedulerName is `scheduler-plugins-scheduler`. */
function launchSchedulerPluginsScheduler(context: Context): Component {
  const { launch, layout } = context;
  const port = launch.ports.schedulerPluginsScheduler;
  writeFileSync(
    layout.schedulerPluginsConfiguration,
    JSON.stringify(coschedulingConfiguration(context), null, 2),
  );
  return {
    name: 'scheduler-plugins-scheduler',
    program: programOf(context, 'scheduler-plugins-scheduler'),
    args: [
      `--config=${layout.schedulerPluginsConfiguration}`,
      `--secure-port=${port}`,
      '--bind-address=127.0.0.1',
      `--cert-dir=${join(layout.credentials, 'scheduler-plugins-scheduler')}`,
    ],
    isReady: () => answersOk(`https://127.0.0.1:${port}/readyz`),
    readyWithinMs: READY_WITHIN_MS,
    stopWithinMs: STOP_WITHIN_MS,
  };
}

/** With a configuration file, kube-scheduler ignores the flags for kubeconfig and request rates. */
function coschedulingConfiguration({ launch, layout }: Context) {
  const { permitWaitingTimeSeconds } = launch.options;
  const coscheduling = [{ name: 'Coscheduling' }];
  return {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    leaderElection: { leaderElect: false },
    clientConnection: { kubeconfig: layout.kubeconfig, qps: 5000, burst: 5000 },
    profiles: [
      {
        schedulerName: 'scheduler-plugins-scheduler',
        plugins: {
          queueSort: { enabled: coscheduling, disabled: [{ name: '*' }] },
          multiPoint: { enabled: coscheduling },
        },
        pluginConfig: [
          { name: 'Coscheduling', args: { permitWaitingTimeSeconds, podGroupBackoffSeconds: 0 } },
        ],
      },
    ],
  };
}

/** Maintains the phase and counters of Coscheduling's groups. Its flags for request rates have no effect in 0.32. */
function launchSchedulerPluginsController(context: Context): Component {
  const { launch, layout } = context;
  const address = `127.0.0.1:${launch.ports.schedulerPluginsController}`;
  return {
    name: 'scheduler-plugins-controller',
    program: programOf(context, 'scheduler-plugins-controller'),
    args: [
      `--kubeconfig=${layout.kubeconfig}`,
      '--enableLeaderElection=false',
      '--metricsAddr=0', // none
      `--probeAddr=${address}`,
    ],
    isReady: () => answersOk(`http://${address}/readyz`),
    readyWithinMs: READY_WITHIN_MS,
    stopWithinMs: STOP_WITHIN_MS,
  };
}

function programOf({ launch }: Context, name: GangProgramName): string {
  const path = launch.programs[name];
  if (path !== undefined) return path;
  throw new SandboxError(
    `${name}: its program was not prepared`,
    'run `signalbox sandbox up --gang volcano,coscheduling` again',
  );
}
