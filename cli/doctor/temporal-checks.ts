import type { Client } from '@temporalio/client';
import { grpcErrorOf } from '../../client/servers/temporal-errors.ts';
import { errorMessage } from '../../language/error-message.ts';
import { connectTemporal } from '../../temporal/connection.ts';
import { isAboutMissingNamespace, missingNamespace } from '../../temporal/missing-namespace.ts';
import { missingSearchAttributes } from '../../worker/search-attributes.ts';
import type { Settings } from '../settings/settings.ts';
import { type Finding, findingsOf } from './finding.ts';

const { ok, warning, fault } = findingsOf('Temporal');

/** Shorter than the usual ten seconds, because a user waits. */
const CONNECT_MS = 5_000;
/** The retention of `temporal operator namespace create`. */
const SHORT_RETENTION_DAYS = 3;
const OLDEST_SERVER = [1, 29];

/** Returns a client, or why there is none. */
export async function findTemporal({ temporal, origins }: Settings): Promise<Client | Finding> {
  try {
    return await connectTemporal(temporal, { connectTimeout: CONNECT_MS });
  } catch (error) {
    const from = origins.temporalAddress === 'default' ? 'the default' : `from ${origins.temporalAddress}`;
    return fault(
      'server',
      `no answer at ${temporal.address} (${from}): ${reasonIn(error)}`,
      'Start Temporal there, or set the address: --temporal-address, TEMPORAL_ADDRESS, `signalbox context`. A server with TLS needs TEMPORAL_TLS=true or an API key. In a checkout, `signalbox sandbox up` starts one.',
    );
  }
}

/** Looks at the server, its namespace and its search attributes. */
export async function* temporalFindings(client: Client, { temporal }: Settings): AsyncGenerator<Finding> {
  const { serverVersion } = await client.workflowService.getSystemInfo({});
  yield serverFinding(temporal.address, serverVersion || 'of unknown version');
  const namespace = await namespaceFindings(client);
  yield* namespace;
  if (namespace.some(({ state }) => state === 'fault')) return;
  yield await attributeFinding(client);
}

function serverFinding(address: string, version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = OLDEST_SERVER;
  const isOld = major < wantedMajor || (major === wantedMajor && minor < wantedMinor);
  if (!isOld || Number.isNaN(major)) return ok('server', `${address} answers, version ${version}`);
  return warning(
    'server',
    `${address} answers, version ${version}`,
    `Tested from version ${OLDEST_SERVER.join('.')} on: upgrade the server (docs/operating.md).`,
  );
}

async function namespaceFindings(client: Client): Promise<Finding[]> {
  const { namespace } = client.options;
  try {
    const { config } = await client.workflowService.describeNamespace({ namespace });
    const days = Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) / 86_400;
    const kept = `${namespace}: Temporal keeps ended jobs for ${Math.round(days * 10) / 10} d`;
    if (days >= SHORT_RETENTION_DAYS) return [ok('namespace', kept)];
    const command = `temporal operator namespace update --namespace ${namespace} --retention 30d`;
    return [warning('namespace', kept, `Keep them longer: \`${command}\`.`)];
  } catch (error) {
    return [
      isAboutMissingNamespace(error)
        ? fault('namespace', `there is no ${namespace}`, missingNamespace(namespace).remedy)
        : fault(
            'namespace',
            `${namespace}: ${reasonIn(error)}`,
            'Check the credentials: TEMPORAL_API_KEY, TEMPORAL_TLS_….',
          ),
    ];
  }
}

async function attributeFinding(client: Client): Promise<Finding> {
  const { namespace } = client.options;
  try {
    const missing = await missingSearchAttributes(client);
    if (missing.length === 0) return ok('search', 'all search attributes of jobs are registered');
    return fault(
      'search',
      `search attributes are not registered: ${missing.map(({ name }) => name).join(', ')}`,
      `A worker registers them when it starts (\`signalbox up\`). By hand: \`temporal operator search-attribute create --namespace ${namespace} ${missing.map(flagsOf).join(' ')}\`.`,
    );
  } catch (error) {
    return warning(
      'search',
      `search attributes cannot be read: ${reasonIn(error)}`,
      'Ask an administrator of Temporal whether those of docs/temporal.md are registered.',
    );
  }
}

const flagsOf = ({ name, type }: { readonly name: string; readonly type: string }) =>
  `--name ${name} --type ${CLI_TYPES[type as keyof typeof CLI_TYPES]}`;

/** As Temporal’s command line spells them. */
const CLI_TYPES = { KEYWORD: 'Keyword', KEYWORD_LIST: 'KeywordList', INT: 'Int' } as const;

/** Returns what a server or the network said. */
export const reasonIn = (error: unknown): string => grpcErrorOf(error)?.details || errorMessage(error);
