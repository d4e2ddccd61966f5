import { freeLowPort } from './free-low-port.ts';

export interface ServerSettings {
  /** Of the frontend, on 127.0.0.1. */
  readonly port: number;
  readonly services: readonly string[];
  /** SQL settings of the store of histories and of the one of visibility. */
  readonly stores: { readonly main: object; readonly visibility: object };
  readonly historyShards: number;
  /** Added to `global`. */
  readonly global?: object;
  /** A file of dynamic configuration. */
  readonly dynamicConfig: string;
}

/** The configuration of a server that runs all of its services in one process. */
export async function serverConfig(settings: ServerSettings): Promise<object> {
  const { port, services, stores, historyShards, global, dynamicConfig } = settings;
  const ports = await Promise.all(
    services.map(
      async (name) => [name, name === 'frontend' ? port : await freeLowPort(), await freeLowPort()] as const,
    ),
  );
  const rpcOf = (grpcPort: number, membershipPort: number) => ({
    rpc: { grpcPort, membershipPort, bindOnLocalHost: true },
  });
  return {
    log: { stdout: false, level: 'warn' },
    persistence: {
      ...{ defaultStore: 'main', visibilityStore: 'visibility', numHistoryShards: historyShards },
      datastores: { main: { sql: stores.main }, visibility: { sql: stores.visibility } },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' }, ...global },
    services: Object.fromEntries(ports.map(([name, grpc, membership]) => [name, rpcOf(grpc, membership)])),
    clusterMetadata: {
      ...{ enableGlobalNamespace: false, failoverVersionIncrement: 10 },
      ...{ masterClusterName: 'active', currentClusterName: 'active' },
      clusterInformation: {
        active: {
          ...{ enabled: true, initialFailoverVersion: 1, rpcName: 'frontend' },
          rpcAddress: `127.0.0.1:${port}`,
        },
      },
    },
    dynamicConfigClient: { filepath: dynamicConfig, pollInterval: '10s' },
  };
}
