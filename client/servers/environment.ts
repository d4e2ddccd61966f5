import { LANES_EXPECTED, type LanesReference, parseLanesReference } from '../../contracts/lane-request.ts';
import type { StoreSettings, TemporalSettings } from '../../contracts/settings.ts';
import { defaultArchive } from '../../evidence/default-directories.ts';
import { RefusedError } from '../errors/errors.ts';
import type { ClientSettings } from './client-settings.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Settings of which the server of Temporal is known. */
export type ConnectionSettings = ClientSettings & { readonly temporal: TemporalSettings };

/**
 * Fills in what a program does not say from the variables that the command line and the Python client read. Throws
 * `RefusedError` for one that has another form.
 */
export const withEnvironment = (given: ClientSettings, env: Variables = process.env): ConnectionSettings => ({
  ...given,
  temporal: given.temporal ?? temporalIn(env),
  namespace: given.namespace ?? setIn(env, 'SIGNALBOX_NAMESPACE'),
  taskQueue: given.taskQueue ?? setIn(env, 'SIGNALBOX_TASK_QUEUE'),
  lanes: given.lanes ?? lanesIn(env),
});

function lanesIn(env: Variables): LanesReference | undefined {
  const given = setIn(env, 'SIGNALBOX_LANES');
  if (given === undefined) return undefined;
  const lanes = parseLanesReference(given);
  if (!lanes) throw new RefusedError(`SIGNALBOX_LANES: expected ${LANES_EXPECTED}, got ${given}.`);
  return lanes;
}

function temporalIn(env: Variables): TemporalSettings {
  const apiKey = setIn(env, 'TEMPORAL_API_KEY');
  const caFile = setIn(env, 'TEMPORAL_TLS_SERVER_CA_CERT_PATH');
  const certFile = setIn(env, 'TEMPORAL_TLS_CLIENT_CERT_PATH');
  const keyFile = setIn(env, 'TEMPORAL_TLS_CLIENT_KEY_PATH');
  const serverName = setIn(env, 'TEMPORAL_TLS_SERVER_NAME');
  const dataConverter = setIn(env, 'SIGNALBOX_DATA_CONVERTER');
  const isEncrypted =
    caFile ?? certFile ?? serverName ?? ['true', '1'].includes(setIn(env, 'TEMPORAL_TLS') ?? '');
  return {
    address: setIn(env, 'TEMPORAL_ADDRESS') ?? 'localhost:7233',
    namespace: setIn(env, 'TEMPORAL_NAMESPACE') ?? 'default',
    ...(apiKey ? { apiKey } : {}),
    ...(isEncrypted ? { tls: { caFile, certFile, keyFile, serverName } } : {}),
    ...(dataConverter ? { dataConverter } : {}),
  };
}

/** Returns where workers archive jobs. */
export function archiveStoreIn(env: Variables): StoreSettings {
  if (setIn(env, 'SIGNALBOX_ARCHIVE_STORE') !== 's3')
    return { store: 'files', directory: setIn(env, 'SIGNALBOX_ARCHIVE_DIR') ?? defaultArchive(env) };
  const bucket = setIn(env, 'SIGNALBOX_ARCHIVE_BUCKET');
  if (!bucket) throw new RefusedError('SIGNALBOX_ARCHIVE_BUCKET: expected the name of a bucket, got none.');
  const [prefix, region, endpoint] = ['PREFIX', 'REGION', 'ENDPOINT'].map((name) =>
    setIn(env, `SIGNALBOX_ARCHIVE_${name}`),
  );
  return {
    ...{ store: 's3', bucket },
    ...(prefix ? { prefix } : {}),
    ...(region ? { region } : {}),
    ...(endpoint ? { endpoint } : {}),
  };
}

/** Returns the namespace of a job whose selector has none. */
export const namespaceIn = (env: Variables): string => setIn(env, 'SIGNALBOX_NAMESPACE') ?? 'default';

/** One that is empty counts as not set. */
const setIn = (env: Variables, name: string): string | undefined => env[name] || undefined;
