import type { TemporalSettings } from '../contracts/settings.ts';
import type { ClientSettings } from './client-settings.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Settings of which the server of Temporal is known. */
export type ConnectionSettings = ClientSettings & { readonly temporal: TemporalSettings };

/** Fills in what a program does not say from the variables that the command line and the Python client read. */
export const withEnvironment = (given: ClientSettings, env: Variables = process.env): ConnectionSettings => ({
  ...given,
  temporal: given.temporal ?? temporalIn(env),
  namespace: given.namespace ?? first(env, 'SIGNALBOX_NAMESPACE'),
  taskQueue: given.taskQueue ?? first(env, 'SIGNALBOX_TASK_QUEUE'),
});

function temporalIn(env: Variables): TemporalSettings {
  const apiKey = first(env, 'TEMPORAL_API_KEY');
  const caFile = first(env, 'TEMPORAL_TLS_SERVER_CA_CERT_PATH', 'TEMPORAL_TLS_CA');
  const certFile = first(env, 'TEMPORAL_TLS_CLIENT_CERT_PATH', 'TEMPORAL_TLS_CERT');
  const keyFile = first(env, 'TEMPORAL_TLS_CLIENT_KEY_PATH', 'TEMPORAL_TLS_KEY');
  const dataConverter = first(env, 'SIGNALBOX_DATA_CONVERTER');
  const isEncrypted = caFile ?? certFile ?? ['true', '1'].includes(first(env, 'TEMPORAL_TLS') ?? '');
  return {
    address: first(env, 'SIGNALBOX_TEMPORAL_ADDRESS', 'TEMPORAL_ADDRESS') ?? 'localhost:7233',
    namespace: first(env, 'SIGNALBOX_TEMPORAL_NAMESPACE', 'TEMPORAL_NAMESPACE') ?? 'default',
    ...(apiKey ? { apiKey } : {}),
    ...(isEncrypted ? { tls: { caFile, certFile, keyFile } } : {}),
    ...(dataConverter ? { dataConverter } : {}),
  };
}

const first = (env: Variables, ...names: readonly string[]): string | undefined =>
  names.map((name) => env[name]).find(Boolean);
