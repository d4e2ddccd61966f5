import type { RequestOptions } from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import { KubeConfig } from '@kubernetes/client-node';
import { errorMessage } from '../language/error-message.ts';
import { ClusterConfigError } from './errors.ts';

/** Address of the API server, and credentials for it. */
export interface ClusterAccess {
  readonly server: string;
  readonly namespace: string;
  /** Proxy in front of the server. TLS settings for connections through it are read once, at the start. */
  readonly proxy?: { readonly url: string; readonly tls: Tls };
  /** Read for each connection, because certificates are rotated. */
  tls(): Promise<Tls>;
  /** For each request. Read again after a second, because tokens expire. */
  headers(): Promise<Record<string, string>>;
}

/** `servername`: the name in the server's certificate, if it differs from the one in the URL. */
export type Tls = Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'rejectUnauthorized' | 'servername'>;

/**
 * Returns access to the cluster of a kubeconfig file, or, without one, as kubectl finds it: KUBECONFIG, ~/.kube/config,
 * or the service account of this pod.
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
  if (isNobodys(config)) throw new ClusterConfigError(NO_KUBECONFIG);
  const tls = async () => {
    const { ca, cert, key, rejectUnauthorized, servername } = await authentication(config);
    return { ca, cert, key, rejectUnauthorized, servername };
  };
  return {
    server: cluster.server.replace(/\/$/, ''),
    namespace: config.getContextObject(config.getCurrentContext())?.namespace ?? 'default',
    proxy: cluster.proxyUrl ? { url: checkedProxy(cluster.proxyUrl), tls: await tls() } : undefined,
    tls,
    headers: remembered(async () => {
      const { headers, auth } = await authentication(config);
      const given = { ...(headers as Record<string, string> | undefined) };
      return auth ? { ...given, Authorization: `Basic ${Buffer.from(auth).toString('base64')}` } : given;
    }),
  };
}

/** What client-node takes if it finds nothing. */
const isNobodys = (config: KubeConfig) =>
  config.getCurrentContext() === 'loaded-context' &&
  config.getCurrentCluster()?.server === 'http://localhost:8080';

const NO_KUBECONFIG =
  'there is no kubeconfig: expected --kubeconfig, KUBECONFIG or ~/.kube/config, or to run in a pod; in a checkout, `signalbox sandbox up` starts a cluster on this machine';

/** client-node reads the certificates with the token: 0.1 ms, and from files. It keeps a token's file for a minute. */
const FRESH_MS = 1_000;

function remembered<T>(read: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly value: T } | undefined;
  return async () => {
    const at = performance.now();
    if (!last || at - last.at > FRESH_MS) last = { at, value: await read() };
    return last.value;
  };
}

function checkedProxy(url: string): string {
  if (/^(https?|socks5):\/\//.test(url)) return url;
  throw new ClusterConfigError(
    `kubeconfig: proxy-url: expected a URL that begins with http://, https:// or socks5://, got ${url}`,
  );
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
    throw new ClusterConfigError(`kubeconfig ${path ?? '(default)'}: ${errorMessage(cause)}`, { cause });
  }
  return config;
}
