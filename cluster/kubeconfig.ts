import type { RequestOptions } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';
import { ClusterConfigError } from './errors.ts';

/** Where the API server is, and how to introduce oneself; tokens are read again for each request, as they expire. */
export interface ClusterAccess {
  readonly server: string;
  readonly namespace: string;
  readonly tls: {
    ca?: Buffer | string;
    cert?: Buffer | string;
    key?: Buffer | string;
    rejectUnauthorized?: boolean;
  };
  headers(): Promise<Record<string, string>>;
}

/**
 * Access to the cluster from a kubeconfig file, or, without one, as kubectl finds it: KUBECONFIG, ~/.kube/config, or
 * the service account of the pod this runs in.
 */
export async function clusterAccess(
  options: { path?: string; context?: string } = {},
): Promise<ClusterAccess> {
  const config = loadConfig(options);
  const cluster = config.getCurrentCluster();
  if (!cluster) {
    throw new ClusterConfigError(
      `kubeconfig ${options.path ?? process.env.KUBECONFIG ?? '(default)'}: expected a current context with a cluster, got ${config.getCurrentContext() || 'none'}`,
    );
  }
  const tls = await authentication(config);
  return {
    server: cluster.server.replace(/\/$/, ''),
    namespace: config.getContextObject(config.getCurrentContext())?.namespace ?? 'default',
    tls: {
      ca: tls.ca,
      cert: tls.cert,
      key: tls.key,
      rejectUnauthorized: tls.rejectUnauthorized,
    } as ClusterAccess['tls'],
    headers: async () => {
      const { headers, auth } = await authentication(config);
      const given = { ...(headers as Record<string, string> | undefined) };
      return auth ? { ...given, Authorization: `Basic ${Buffer.from(auth).toString('base64')}` } : given;
    },
  };
}

async function authentication(config: KubeConfig): Promise<RequestOptions> {
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  return options;
}

function loadConfig({ path, context }: { path?: string; context?: string }): KubeConfig {
  const config = new KubeConfig();
  try {
    if (path) config.loadFromFile(path);
    else config.loadFromDefault();
    if (context) config.setCurrentContext(context);
  } catch (cause) {
    throw new ClusterConfigError(`kubeconfig ${path ?? '(default)'}: ${(cause as Error).message}`, { cause });
  }
  return config;
}
