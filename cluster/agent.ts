import { createSecureContext } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici';
import { asError } from '../language/error-message.ts';
import type { ClusterAccess, Tls } from './kubeconfig.ts';

// With HTTP/2 many requests share a connection. If it dies silently, all of them wait: once for an answer, and again for
// undici's check of the connection.
const HTTP_1 = { allowH2: false } as const;
const CONNECT = { ...HTTP_1, keepAlive: true, keepAliveInitialDelay: 30_000, timeout: 10_000 } as const;

/** Opens HTTP/1.1 connections to an API server, through the proxy if the kubeconfig names one. */
export function openAgent(access: ClusterAccess, options: Omit<Agent.Options, 'connect'>): Dispatcher {
  const { proxy } = access;
  if (!proxy) return new Agent({ ...options, ...HTTP_1, connect: connector(access) });
  return new ProxyAgent({ ...options, ...HTTP_1, uri: proxy.url, requestTls: { ...proxy.tls, ...CONNECT } });
}

/** Reads the certificates for each connection. TLS sessions are resumed while these stay the same. */
function connector({ tls }: ClusterAccess): buildConnector.connector {
  let last: { readonly tls: Tls; readonly connect: buildConnector.connector } | undefined;
  const current = async () => {
    const now = await tls();
    if (!last || !isDeepStrictEqual(last.tls, now)) {
      // Otherwise each connection would parse the certificates.
      const secureContext = createSecureContext(now);
      last = { tls: now, connect: buildConnector({ ...now, secureContext, ...CONNECT }) };
    }
    return last;
  };
  return (options, callback) => {
    current().then(
      (found) => {
        const servername = found.tls.servername ?? options.servername;
        found.connect({ ...options, servername }, callback);
      },
      (error) => callback(asError(error), null),
    );
  };
}
