import type { StoreSettings, TemporalSettings } from '../../contracts/settings.ts';
import { defaultArchive } from '../../evidence/default-directory.ts';
import { RefusedError } from '../errors/errors.ts';
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

/** Returns where workers archive jobs. */
export function archiveStoreIn(env: Variables): StoreSettings {
  if (first(env, 'SIGNALBOX_ARCHIVE_STORE') !== 's3')
    return { store: 'files', directory: first(env, 'SIGNALBOX_ARCHIVE_DIR') ?? defaultArchive(env) };
  const bucket = first(env, 'SIGNALBOX_ARCHIVE_BUCKET');
  if (!bucket) throw new RefusedError('SIGNALBOX_ARCHIVE_BUCKET: expected the name of a bucket, got none.');
  const [prefix, region, endpoint] = ['PREFIX', 'REGION', 'ENDPOINT'].map((name) =>
    first(env, `SIGNALBOX_ARCHIVE_${name}`),
  );
  return {
    ...{ store: 's3', bucket },
    ...(prefix ? { prefix } : {}),
    ...(region ? { region } : {}),
    ...(endpoint ? { endpoint } : {}),
  };
}

/** Returns the namespace of a job whose selector has none. */
export const namespaceIn = (env: Variables): string => first(env, 'SIGNALBOX_NAMESPACE') ?? 'default';

const first = (env: Variables, ...names: readonly string[]): string | undefined =>
  names.map((name) => env[name]).find(Boolean);
