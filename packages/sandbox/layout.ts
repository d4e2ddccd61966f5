import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** Socket paths end at 104 bytes on macOS and 108 on Linux, including the final zero. */
const LONGEST_SOCKET_PATH = 103;

/** `--dir`, else SIGNALBOX_SANDBOX_DIR, else one ignored folder of this checkout. */
export function sandboxDir(given?: string, env: NodeJS.ProcessEnv = process.env): string {
  return resolve(given ?? (env.SIGNALBOX_SANDBOX_DIR || join(checkout, '.signalbox', 'sandbox')));
}

/** Where everything of one sandbox lives. */
export function sandboxLayout(dir: string) {
  return {
    dir,
    state: join(dir, 'state.json'),
    lock: join(dir, 'up.lock'),
    controlSocket: controlSocket(dir),
    logs: join(dir, 'logs'),
    supervisorLog: join(dir, 'logs', 'supervisor.log'),
    auditLog: join(dir, 'logs', 'audit.log'),
    data: join(dir, 'data'),
    etcdData: join(dir, 'data', 'etcd'),
    temporalDatabase: join(dir, 'data', 'temporal.sqlite'),
    localNodeData: join(dir, 'data', 'local-node'),
    /** Of jobs that worker and watcher run on this sandbox. */
    evidence: join(dir, 'data', 'evidence'),
    volcanoSockets: join(dir, 'data', 'volcano'),
    schedulerPluginsConfiguration: join(dir, 'data', 'scheduler-plugins.json'),
    credentials: join(dir, 'credentials'),
    /** Where only the sandbox's user gets at it. */
    etcdSocket: join(dir, 'credentials', 'etcd.sock'),
    kubeconfig: join(dir, 'kubeconfig'),
    /** Each its own, as with kubeadm: whoever changes one moves nothing but that component. */
    schedulerKubeconfig: join(dir, 'credentials', 'kube-scheduler.kubeconfig'),
    controllerManagerKubeconfig: join(dir, 'credentials', 'kube-controller-manager.kubeconfig'),
  };
}

export type SandboxLayout = ReturnType<typeof sandboxLayout>;

function controlSocket(dir: string): string {
  const path = join(dir, 'control.sock');
  if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH) return path;
  const short = createHash('sha256').update(dir).digest('hex').slice(0, 16);
  return join(tmpdir(), `signalbox-${short}.sock`);
}
