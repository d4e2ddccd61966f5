import { EVIDENCE_STORES, UPGRADE_BEHAVIORS } from '../../contracts/settings.ts';
import { DEFAULT_CONVENTIONS, GANG_CHOICES } from '../../contracts/training-job.ts';
import { defaultDirectory } from '../../evidence/default-directory.ts';
import { ownVersion } from '../own-version.ts';
import { ARCHIVE_ENTRIES } from './archive-entries.ts';
import {
  bucketName,
  buildId,
  choice,
  deploymentName,
  domainName,
  either,
  hostAndPort,
  integer,
  kubernetesName,
  matching,
  type SettingEntry,
  switchedOn,
  text,
  webAddress,
} from './setting-entry.ts';

const A_FILE = 'the path of a file';
const AN_IMAGE = 'a container image';
const A_NAME = 'a name of lower-case letters, digits and dashes';

/** Where Temporal defines a variable, signalbox reads the same one as Temporal's tools. */
export const SETTINGS = {
  temporalAddress: {
    option: 'temporalAddress',
    env: ['SIGNALBOX_TEMPORAL_ADDRESS', 'TEMPORAL_ADDRESS'],
    expected: 'host:port',
    parse: hostAndPort,
    default: 'localhost:7233',
  },
  temporalNamespace: {
    option: 'temporalNamespace',
    env: ['SIGNALBOX_TEMPORAL_NAMESPACE', 'TEMPORAL_NAMESPACE'],
    expected: 'a name',
    parse: text,
    default: 'default',
  },
  temporalApiKey: { env: ['TEMPORAL_API_KEY'], expected: 'a key', parse: text, secret: true },
  temporalTls: { env: ['TEMPORAL_TLS'], expected: 'true or false', parse: switchedOn },
  temporalTlsCa: {
    env: ['TEMPORAL_TLS_SERVER_CA_CERT_PATH', 'TEMPORAL_TLS_CA'],
    expected: A_FILE,
    parse: text,
  },
  temporalTlsCert: {
    env: ['TEMPORAL_TLS_CLIENT_CERT_PATH', 'TEMPORAL_TLS_CERT'],
    expected: A_FILE,
    parse: text,
  },
  temporalTlsKey: {
    env: ['TEMPORAL_TLS_CLIENT_KEY_PATH', 'TEMPORAL_TLS_KEY'],
    expected: A_FILE,
    parse: text,
  },
  dataConverter: { env: ['SIGNALBOX_DATA_CONVERTER'], expected: 'the path of a module', parse: text },
  kubeconfig: { option: 'kubeconfig', env: ['SIGNALBOX_KUBECONFIG'], expected: A_FILE, parse: text },
  kubeContext: {
    option: 'kubeContext',
    env: ['SIGNALBOX_KUBE_CONTEXT'],
    expected: 'the name of a context',
    parse: text,
  },
  namespace: {
    option: 'namespace',
    env: ['SIGNALBOX_NAMESPACE'],
    expected: A_NAME,
    parse: kubernetesName,
  },
  clusterId: {
    env: ['SIGNALBOX_CLUSTER_ID'],
    expected: 'letters, digits, dots, dashes and underscores, 63 at most',
    parse: matching(/^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/),
  },
  leaseNamespace: {
    env: ['SIGNALBOX_LEASE_NAMESPACE'],
    expected: A_NAME,
    parse: kubernetesName,
    default: 'default',
  },
  leaseName: {
    env: ['SIGNALBOX_LEASE_NAME'],
    expected: A_NAME,
    parse: kubernetesName,
    default: 'signalbox-watcher',
  },
  leaseDuration: {
    env: ['SIGNALBOX_LEASE_DURATION'],
    expected: 'an integer from 3 to 300, in seconds',
    parse: integer(3, 300),
    default: '15',
  },
  connections: {
    env: ['SIGNALBOX_CONNECTIONS'],
    expected: 'an integer from 1 to 512',
    parse: integer(1, 512),
    default: '64',
  },
  activities: {
    env: ['SIGNALBOX_ACTIVITIES'],
    expected: 'an integer from 1 to 10000',
    parse: integer(1, 10_000),
    default: '200',
  },
  cachedWorkflows: {
    env: ['SIGNALBOX_CACHED_WORKFLOWS'],
    expected: 'auto, or an integer from 10 to 100000',
    parse: either(choice(['auto']), integer(10, 100_000)),
    default: 'auto',
  },
  deployment: {
    env: ['SIGNALBOX_DEPLOYMENT'],
    expected: 'letters, digits, dashes and underscores, 100 at most',
    parse: deploymentName,
  },
  buildId: {
    env: ['SIGNALBOX_BUILD_ID'],
    expected: 'letters, digits, dots, dashes and underscores, 100 at most',
    parse: buildId,
    defaultFrom: ownVersion,
  },
  upgrade: {
    env: ['SIGNALBOX_UPGRADE'],
    expected: UPGRADE_BEHAVIORS.join(' or '),
    parse: choice(UPGRADE_BEHAVIORS),
    default: 'auto-upgrade',
  },
  taskQueue: {
    option: 'taskQueue',
    env: ['SIGNALBOX_TASK_QUEUE'],
    expected: 'a name',
    parse: text,
    default: 'signalbox',
  },
  logLevel: {
    option: 'logLevel',
    env: ['SIGNALBOX_LOG_LEVEL'],
    expected: 'debug, info, warn or error',
    parse: choice(['debug', 'info', 'warn', 'error']),
    default: 'info',
  },
  httpHost: {
    option: 'httpHost',
    env: ['SIGNALBOX_HTTP_HOST'],
    expected: 'an address to listen on',
    parse: text,
    default: '127.0.0.1',
  },
  httpPort: {
    option: 'httpPort',
    env: ['SIGNALBOX_HTTP_PORT'],
    expected: 'a port from 0 to 65535',
    parse: integer(0, 65_535),
    default: '9464',
  },
  sweepInterval: {
    env: ['SIGNALBOX_SWEEP_INTERVAL'],
    expected: 'seconds, from 1 to 86400',
    parse: integer(1, 86_400),
    default: '30',
  },
  keepEnded: {
    env: ['SIGNALBOX_KEEP_ENDED'],
    expected: 'days, from 1 to 3650, or `forever`',
    parse: either(choice(['forever']), integer(1, 3_650)),
    default: '30',
  },
  gang: {
    option: 'gang',
    env: ['SIGNALBOX_GANG'],
    expected: GANG_CHOICES.join(', '),
    parse: choice(GANG_CHOICES),
    default: 'auto',
  },
  coschedulingName: {
    option: 'coschedulingName',
    env: ['SIGNALBOX_COSCHEDULING_NAME'],
    expected: 'the name of a scheduler',
    parse: text,
    default: 'scheduler-plugins-scheduler',
  },
  clusterDomain: {
    option: 'clusterDomain',
    env: ['SIGNALBOX_CLUSTER_DOMAIN', 'CUSTOM_CLUSTER_DOMAIN'],
    expected: 'a domain, e.g. cluster.local',
    parse: domainName,
  },
  kubectlImage: {
    option: 'mpiKubectlDeliveryImage',
    env: ['SIGNALBOX_MPI_KUBECTL_DELIVERY_IMAGE'],
    expected: AN_IMAGE,
    parse: text,
    default: DEFAULT_CONVENTIONS.kubectlImage,
  },
  masterWaitImage: {
    option: 'pytorchInitContainerImage',
    env: ['SIGNALBOX_PYTORCH_INIT_CONTAINER_IMAGE'],
    expected: AN_IMAGE,
    parse: text,
  },
  etcdServers: {
    option: 'etcdServer',
    env: ['SIGNALBOX_ETCD_SERVER'],
    expected: 'addresses, separated by commas',
    parse: text,
  },
  evidenceStore: {
    option: 'evidenceStore',
    env: ['SIGNALBOX_EVIDENCE_STORE'],
    expected: EVIDENCE_STORES.join(' or '),
    parse: choice(EVIDENCE_STORES),
    default: 'files',
  },
  evidenceDir: {
    option: 'evidenceDir',
    env: ['SIGNALBOX_EVIDENCE_DIR'],
    expected: 'the path of a directory',
    parse: text,
    defaultFrom: defaultDirectory,
  },
  evidenceBucket: {
    option: 'evidenceBucket',
    env: ['SIGNALBOX_EVIDENCE_BUCKET'],
    expected: 'the name of a bucket',
    parse: bucketName,
  },
  evidencePrefix: {
    option: 'evidencePrefix',
    env: ['SIGNALBOX_EVIDENCE_PREFIX'],
    expected: 'a prefix of keys in the bucket',
    parse: text,
  },
  evidenceRegion: {
    option: 'evidenceRegion',
    env: ['SIGNALBOX_EVIDENCE_REGION'],
    expected: 'the name of a region',
    parse: text,
  },
  evidenceEndpoint: {
    option: 'evidenceEndpoint',
    env: ['SIGNALBOX_EVIDENCE_ENDPOINT'],
    expected: 'http://host:port or https://host:port',
    parse: webAddress,
  },
  ...ARCHIVE_ENTRIES,
} as const satisfies Record<string, SettingEntry>;

export type SettingName = keyof typeof SETTINGS;
type SettingValue<N extends SettingName> = NonNullable<ReturnType<(typeof SETTINGS)[N]['parse']>>;

export type SettingValues = { readonly [N in SettingName]?: SettingValue<N> };
