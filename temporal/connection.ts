import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { InterceptingCall, type Interceptor, Metadata, status } from '@grpc/grpc-js';
import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { TemporalSettings, TlsSettings } from '../contracts/settings.ts';
import { errorMessage } from '../language/error-message.ts';

/** Returns a Temporal client; throws within `connectTimeout` milliseconds if the address does not answer. */
export async function connectTemporal(
  settings: TemporalSettings,
  options: { connectTimeout?: number; identity?: string } = {},
): Promise<Client> {
  const connection = await Connection.connect({
    ...connectionOptions(settings),
    connectTimeout: options.connectTimeout ?? 10_000,
    interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions()), failWhenClosed],
  });
  return new Client({
    connection,
    namespace: settings.namespace,
    ...(options.identity ? { identity: options.identity } : {}),
    dataConverter: await loadDataConverter(settings),
  });
}

/** Returns the connection options that clients and workers share. */
export function connectionOptions({ address, apiKey, tls }: TemporalSettings) {
  return { address, apiKey, tls: tls ? tlsOptions(tls) : apiKey ? true : undefined };
}

/** Loads the data converter. Workers load it by path, because part of it runs inside the workflow sandbox. */
export async function loadDataConverter(
  settings: Pick<TemporalSettings, 'dataConverter'>,
): Promise<DataConverter | undefined> {
  if (!settings.dataConverter) return undefined;
  const module = (await import(pathToFileURL(settings.dataConverter).href)) as { default?: DataConverter };
  if (!module.default) {
    throw new Error(`${settings.dataConverter}: expected a DataConverter as default export, got none`);
  }
  return module.default;
}

function tlsOptions({ caFile, certFile, keyFile, serverName }: TlsSettings) {
  const clientCertPair =
    certFile && keyFile ? { crt: readFileSync(certFile), key: readFileSync(keyFile) } : undefined;
  return {
    serverRootCACertificate: caFile ? readFileSync(caFile) : undefined,
    clientCertPair,
    serverNameOverride: serverName,
  };
}

/**
 * Fails a call that starts after its connection was closed. The SDK retries calls from a timer that closing does not
 * stop, and an error thrown by gRPC in there would end the process.
 */
const failWhenClosed: Interceptor = (options, nextCall) => {
  try {
    return new InterceptingCall(nextCall(options));
  } catch (error) {
    return failedCall(errorMessage(error));
  }
};

const failedCall = (details: string): InterceptingCall =>
  new InterceptingCall({
    // The SDK does not retry this status, as it would `UNAVAILABLE`.
    start: (_metadata, listener) =>
      listener?.onReceiveStatus?.({ code: status.CANCELLED, details, metadata: new Metadata() }),
    sendMessage: () => undefined,
    sendMessageWithContext: () => undefined,
    startRead: () => undefined,
    halfClose: () => undefined,
    cancelWithStatus: () => undefined,
    getPeer: () => '',
    getAuthContext: () => null,
  });
