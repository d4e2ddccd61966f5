import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** A socket path has at most 104 bytes on macOS and 108 on Linux, including the final zero. */
const LONGEST_SOCKET_PATH = 103;

/** Returns `--dir`, else SIGNALBOX_SANDBOX_DIR, else a folder of this checkout that git ignores. */
export function sandboxDir(given?: string, env: NodeJS.ProcessEnv = process.env): string {
  return resolve(given ?? (env.SIGNALBOX_SANDBOX_DIR || join(checkout, '.signalbox', 'sandbox')));
}

/** The paths of one sandbox. */
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
    /** Evidence of jobs that run on this sandbox. */
    evidence: join(dir, 'data', 'evidence'),
    /** The archive of these jobs. */
    archive: join(dir, 'data', 'archive'),
    volcanoSockets: join(dir, 'data', 'volcano'),
    schedulerPluginsConfiguration: join(dir, 'data', 'scheduler-plugins.json'),
    credentials: join(dir, 'credentials'),
    /** In a folder that only the sandbox's user can read. */
    etcdSocket: join(dir, 'credentials', 'etcd.sock'),
    kubeconfig: join(dir, 'kubeconfig'),
    /** One for each component, as with kubeadm, so that tests can change the access of one alone. */
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
