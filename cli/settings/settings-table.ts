import { LANES_EXPECTED, parseLanesReference } from '../../contracts/lane-request.ts';
import { ON_HANG } from '../../contracts/policy.ts';
import { BRIDGE_TAKES, EVIDENCE_STORES, UPGRADE_BEHAVIORS } from '../../contracts/settings.ts';
import { DEFAULT_CONVENTIONS, GANG_CHOICES } from '../../contracts/training-job.ts';
import { defaultDirectory } from '../../evidence/default-directories.ts';
import { ownVersion } from '../shell/own-version.ts';
import { ARCHIVE_ENTRIES } from './archive-entries.ts';
import { CONSOLE_ENTRIES } from './console-entries.ts';
import {
  A_FILE,
  bucketName,
  buildId,
  choice,
  deploymentName,
  domainName,
  either,
  hostAndPort,
  integer,
  kubernetesName,
  kubernetesNames,
  matching,
  type SettingEntry,
  switchedOn,
  text,
  webAddress,
} from './setting-entry.ts';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
const AN_IMAGE = 'a container image';
const A_NAME = 'a name of lower-case letters, digits and dashes';

/** Where Temporal's tools define a variable, signalbox reads that one. */
export const SETTINGS = {
  temporalAddress: {
    flag: '--temporal-address <host:port>',
    env: 'TEMPORAL_ADDRESS',
    expected: 'host:port',
    meaning: 'Temporal’s frontend; a running sandbox of the checkout is found without it',
    parse: hostAndPort,
    default: 'localhost:7233',
  },
  temporalNamespace: {
    flag: '--temporal-namespace <name>',
    env: 'TEMPORAL_NAMESPACE',
    expected: 'a name',
    meaning: 'Temporal’s namespace; must exist',
    parse: text,
    default: 'default',
  },
  temporalApiKey: {
    env: 'TEMPORAL_API_KEY',
    expected: 'a key',
    meaning: 'secret; turns TLS on',
    parse: text,
    secret: true,
  },
  temporalTls: {
    env: 'TEMPORAL_TLS',
    expected: 'true or false',
    meaning: 'TLS without a client certificate',
    parse: switchedOn,
  },
  temporalTlsCa: {
    env: 'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
    expected: A_FILE,
    meaning: 'the CA of the server’s certificate, if it is not a public one',
    parse: text,
  },
  temporalTlsCert: {
    env: 'TEMPORAL_TLS_CLIENT_CERT_PATH',
    expected: A_FILE,
    meaning: 'mutual TLS, with the key',
    parse: text,
  },
  temporalTlsKey: {
    env: 'TEMPORAL_TLS_CLIENT_KEY_PATH',
    expected: A_FILE,
    meaning: 'mutual TLS, with the certificate',
    parse: text,
  },
  temporalTlsServerName: {
    env: 'TEMPORAL_TLS_SERVER_NAME',
    expected: 'a domain, e.g. temporal.example',
    meaning:
      'the name in the server’s certificate, if the address has another one, e.g. that of a private endpoint',
    parse: domainName,
  },
  dataConverter: {
    env: 'SIGNALBOX_DATA_CONVERTER',
    expected: 'the path of a module',
    meaning: 'encrypts payloads; the same for all processes',
    parse: text,
  },
  kubeconfig: {
    flag: '--kubeconfig <file>',
    env: 'SIGNALBOX_KUBECONFIG',
    expected: A_FILE,
    meaning:
      'kubeconfig of the cluster; by default as kubectl: `KUBECONFIG`, `~/.kube/config`, the pod’s service account',
    parse: text,
  },
  kubeContext: {
    flag: '--kube-context <name>',
    env: 'SIGNALBOX_KUBE_CONTEXT',
    expected: 'the name of a context',
    meaning: 'context in the kubeconfig',
    parse: text,
  },
  namespace: {
    flag: '-n, --namespace <name>',
    env: 'SIGNALBOX_NAMESPACE',
    expected: A_NAME,
    meaning: 'the namespace of jobs that name none',
    parse: kubernetesName,
  },
  namespaces: {
    flag: '--namespaces <names>',
    env: 'SIGNALBOX_NAMESPACES',
    expected: 'namespaces with commas between them, each once, e.g. team-a,team-b',
    meaning:
      'worker, watcher, bridge: serve only the jobs of these namespaces, and need no rights in others; by default of all',
    parse: kubernetesNames,
  },
  clusterId: {
    env: 'SIGNALBOX_CLUSTER_ID',
    expected: 'letters, digits, dots, dashes and underscores, 63 at most',
    meaning:
      'tells clusters apart; by default the uid of the namespace `kube-system`; the same for workers and watchers',
    parse: matching(/^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/),
  },
  leaseNamespace: {
    env: 'SIGNALBOX_LEASE_NAMESPACE',
    expected: A_NAME,
    meaning: 'watcher, bridge: namespace of the lease; the same for all that replace each other',
    parse: kubernetesName,
    default: 'default',
  },
  leaseName: {
    env: 'SIGNALBOX_LEASE_NAME',
    expected: A_NAME,
    meaning: 'watcher: name of the lease; one for each installation on a cluster',
    parse: kubernetesName,
    default: 'signalbox-watcher',
  },
  lanes: {
    flag: '--lanes <name>',
    env: 'SIGNALBOX_LANES',
    expected: LANES_EXPECTED,
    meaning:
      'worker, watcher: the ConfigMap with the lanes that jobs wait in (docs/queue.md); the same for all of an installation; by default there are none. Also of commands and programs that ask about lanes',
    parse: parseLanesReference,
  },
  bridge: {
    env: 'SIGNALBOX_BRIDGE',
    expected: 'auto, true or false',
    meaning:
      'signalbox up: whether it runs the bridge, which runs the custom resources of jobs; `auto`: as soon as the cluster serves kinds of jobs that nobody else runs (docs/front-door.md#set-up)',
    parse: either(choice(['auto']), switchedOn),
    default: 'auto',
  },
  bridgeLeaseName: {
    env: 'SIGNALBOX_BRIDGE_LEASE_NAME',
    expected: A_NAME,
    meaning: 'bridge: name of the lease; one for each installation on a cluster',
    parse: kubernetesName,
    default: 'signalbox-bridge',
  },
  bridgeTakes: {
    env: 'SIGNALBOX_BRIDGE_TAKES',
    expected: BRIDGE_TAKES.join(' or '),
    meaning:
      'bridge: which resources it runs; `own`: those whose runPolicy.managedBy is `signalbox.dev/bridge`; `all`: also those that name no other controller, unless an original operator is found that runs them (docs/migrating.md)',
    choices: BRIDGE_TAKES,
    parse: choice(BRIDGE_TAKES),
    default: 'all',
  },
  leaseDuration: {
    env: 'SIGNALBOX_LEASE_DURATION',
    expected: 'an integer from 3 to 300, in seconds',
    meaning: 'watcher, bridge: another one takes over after the leader has been silent for this long',
    parse: integer(3, 300),
    default: '15',
  },
  connections: {
    env: 'SIGNALBOX_CONNECTIONS',
    expected: 'an integer from 1 to 512',
    meaning: 'requests to the API server in flight, per process',
    parse: integer(1, 512),
    default: '64',
  },
  processes: {
    flag: '--processes <count>',
    env: 'SIGNALBOX_PROCESSES',
    expected: 'auto, or an integer from 1 to 256',
    meaning:
      'worker: processes that share its work, each of which uses one to two cores; `auto`: as many as there are cores, or as fit into the memory',
    parse: either(choice(['auto']), integer(1, 256)),
    default: '1',
  },
  activities: {
    env: 'SIGNALBOX_ACTIVITIES',
    expected: 'an integer from 1 to 10000',
    meaning: 'worker: concurrent activities, per process',
    parse: integer(1, 10_000),
    default: '200',
  },
  cachedWorkflows: {
    env: 'SIGNALBOX_CACHED_WORKFLOWS',
    expected: 'auto, or an integer from 10 to 100000',
    meaning: 'worker: jobs whose workflow it keeps in memory, per process; `auto`: as many as fit',
    parse: either(choice(['auto']), integer(10, 100_000)),
    default: 'auto',
  },
  deployment: {
    env: 'TEMPORAL_DEPLOYMENT_NAME',
    expected: 'letters, digits, dashes, underscores and slashes, 255 at most',
    meaning: 'worker: turns Temporal’s worker versioning on',
    parse: deploymentName,
  },
  buildId: {
    env: 'TEMPORAL_WORKER_BUILD_ID',
    expected: 'letters, digits, dots, dashes and underscores, 100 at most',
    meaning: 'worker: its build; by default the version of signalbox',
    parse: buildId,
    defaultFrom: ownVersion,
  },
  upgrade: {
    env: 'SIGNALBOX_UPGRADE',
    expected: UPGRADE_BEHAVIORS.join(' or '),
    meaning: 'worker: whether running jobs move to the current build',
    choices: UPGRADE_BEHAVIORS,
    parse: choice(UPGRADE_BEHAVIORS),
    default: 'auto-upgrade',
  },
  taskQueue: {
    flag: '--task-queue <name>',
    env: 'SIGNALBOX_TASK_QUEUE',
    expected: 'a name',
    meaning: 'where workers poll and jobs start',
    parse: text,
    default: 'signalbox',
  },
  completionTimeout: {
    env: 'SIGNALBOX_COMPLETION_TIMEOUT',
    expected: 'seconds, from 1 to 60',
    meaning: 'how long completion in a shell waits for names of the servers; then it has none',
    parse: integer(1, 60),
    default: '2',
  },
  logLevel: {
    flag: '--log-level <level>',
    env: 'SIGNALBOX_LOG_LEVEL',
    expected: 'debug, info, warn or error',
    meaning: 'what is logged, from `debug` to `error`; `debug` adds the lines of Temporal’s SDK',
    choices: LOG_LEVELS,
    parse: choice(LOG_LEVELS),
    default: 'info',
  },
  httpHost: {
    flag: '--http-host <address>',
    env: 'SIGNALBOX_HTTP_HOST',
    expected: 'an address to listen on',
    meaning: 'where health and metrics are served; the image sets `0.0.0.0`',
    parse: text,
    default: '127.0.0.1',
  },
  httpPort: {
    flag: '--http-port <port>',
    env: 'SIGNALBOX_HTTP_PORT',
    expected: 'a port from 0 to 65535',
    meaning: 'its port; 0 takes a free one, as `signalbox console` does by default',
    parse: integer(0, 65_535),
    default: '9464',
  },
  scanInterval: {
    env: 'SIGNALBOX_SCAN_INTERVAL',
    expected: 'seconds, from 1 to 86400',
    meaning: 'watcher: time between scans for workflows that ended without clean-up',
    parse: integer(1, 86_400),
    default: '30',
  },
  readsSteps: {
    env: 'SIGNALBOX_READ_STEPS',
    expected: 'true or false',
    meaning:
      'watcher: read the ends of the logs of running jobs, and tell which make no step for longer than usual, without a policy',
    parse: switchedOn,
    default: 'true',
  },
  nodeHealth: {
    env: 'SIGNALBOX_NODE_HEALTH',
    expected: A_FILE,
    meaning:
      'watcher: the file of what an installation’s own sources of health write on nodes, and of sources that do not count (docs/health.md#sources-of-your-own)',
    parse: text,
  },
  onHang: {
    env: 'SIGNALBOX_ON_HANG',
    expected: ON_HANG.join(' or '),
    meaning:
      'worker: what follows when a job makes no step for longer than usual, if its policy does not say it; `restart`: its gang restarts, as [`progress.onHang`](policy.md#a-job-that-hangs) says; the same for all workers',
    choices: ON_HANG,
    parse: choice(ON_HANG),
    default: 'tell',
  },
  teamLabel: {
    env: 'SIGNALBOX_TEAM_LABEL',
    expected: 'the key of a label, e.g. example.com/team',
    meaning: 'watcher: the label of manifests by whose value the metric `signalbox_team_jobs` counts jobs',
    parse: matching(
      /^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/,
    ),
  },
  keepEnded: {
    env: 'SIGNALBOX_KEEP_ENDED',
    expected: 'days, from 1 to 3650, or `forever`',
    meaning: 'worker: how long the cluster keeps what an ended job leaves',
    parse: either(choice(['forever']), integer(1, 3_650)),
    default: '30',
  },
  requireResource: {
    env: 'SIGNALBOX_REQUIRE_RESOURCE',
    expected: 'true or false',
    meaning:
      'worker: run only jobs that are custom resources, so that Kubernetes decides who may run what; the same for all workers',
    parse: switchedOn,
    default: 'false',
  },
  requesterStamped: {
    env: 'SIGNALBOX_REQUESTER_STAMPED',
    expected: 'true or false',
    meaning:
      'worker: the API server notes who wrote a custom resource (`signalbox crds --policies requester`), so that histories say it as authenticated',
    parse: switchedOn,
    default: 'false',
  },
  gang: {
    flag: '--gang <scheduler>',
    env: 'SIGNALBOX_GANG',
    expected: GANG_CHOICES.join(', '),
    meaning: 'worker: gang scheduler of jobs that name none; `auto`: what the cluster serves',
    choices: GANG_CHOICES,
    parse: choice(GANG_CHOICES),
    default: 'auto',
  },
  coschedulingName: {
    flag: '--coscheduling-name <name>',
    env: 'SIGNALBOX_COSCHEDULING_NAME',
    expected: 'the name of a scheduler',
    meaning: 'worker: the scheduler name of Coscheduling on this cluster',
    parse: text,
    default: 'scheduler-plugins-scheduler',
  },
  clusterDomain: {
    flag: '--cluster-domain <domain>',
    env: 'SIGNALBOX_CLUSTER_DOMAIN',
    expected: 'a domain, e.g. cluster.local',
    meaning: 'worker: written into addresses; without it they end in `.svc`, as with training-operator',
    parse: domainName,
  },
  kubectlImage: {
    flag: '--mpi-kubectl-delivery-image <image>',
    env: 'SIGNALBOX_MPI_KUBECTL_DELIVERY_IMAGE',
    expected: AN_IMAGE,
    meaning: 'worker: image that brings kubectl to jobs that execute in their pods, e.g. MPIJob',
    parse: text,
    default: DEFAULT_CONVENTIONS.kubectlImage,
  },
  masterWaitImage: {
    flag: '--pytorch-init-container-image <image>',
    env: 'SIGNALBOX_PYTORCH_INIT_CONTAINER_IMAGE',
    expected: AN_IMAGE,
    meaning:
      'worker: pods wait for the first one in an init container of this image, e.g. PyTorchJob; without it they do not wait',
    parse: text,
  },
  etcdServers: {
    flag: '--etcd-server <addresses>',
    env: 'SIGNALBOX_ETCD_SERVER',
    expected: 'addresses, separated by commas',
    meaning: 'worker: etcd of elastic jobs that read it, e.g. PaddleJob',
    parse: text,
  },
  evidenceStore: {
    flag: '--evidence-store <kind>',
    env: 'SIGNALBOX_EVIDENCE_STORE',
    expected: EVIDENCE_STORES.join(' or '),
    meaning: 'worker and readers: where evidence of failed pods is kept',
    choices: EVIDENCE_STORES,
    parse: choice(EVIDENCE_STORES),
    default: 'files',
  },
  evidenceDir: {
    flag: '--evidence-dir <path>',
    env: 'SIGNALBOX_EVIDENCE_DIR',
    expected: 'the path of a directory',
    meaning:
      'directory of the store `files`; by default `$XDG_STATE_HOME/signalbox/evidence`, else `~/.local/state/signalbox/evidence`; with a sandbox, in its folder',
    parse: text,
    defaultFrom: defaultDirectory,
  },
  evidenceBucket: {
    flag: '--evidence-bucket <name>',
    env: 'SIGNALBOX_EVIDENCE_BUCKET',
    expected: 'the name of a bucket',
    meaning: 'bucket of the store `s3`; must exist',
    parse: bucketName,
  },
  evidencePrefix: {
    flag: '--evidence-prefix <prefix>',
    env: 'SIGNALBOX_EVIDENCE_PREFIX',
    expected: 'a prefix',
    meaning: 'prefix of the keys in the bucket',
    parse: text,
  },
  evidenceRegion: {
    flag: '--evidence-region <region>',
    env: 'SIGNALBOX_EVIDENCE_REGION',
    expected: 'the name of a region',
    meaning: 'region of the bucket; by default as the AWS tools find it',
    parse: text,
  },
  evidenceEndpoint: {
    flag: '--evidence-endpoint <url>',
    env: 'SIGNALBOX_EVIDENCE_ENDPOINT',
    expected: 'http://host:port or https://host:port',
    meaning: 'S3 server other than Amazon’s; its buckets are paths',
    parse: webAddress,
  },
  prices: {
    flag: '--prices <file>',
    env: 'SIGNALBOX_PRICES',
    expected: A_FILE,
    meaning:
      'prices of devices, by hour and date, for `cost`, `report` and `audit cost` (docs/cost.md#prices)',
    parse: text,
  },
  notifications: {
    flag: '--notifications <file>',
    env: 'SIGNALBOX_NOTIFICATIONS',
    expected: A_FILE,
    meaning:
      'notifier: the file of routes, which says who is told what (docs/notifications.md); `signalbox up` runs a notifier if it is set',
    parse: text,
  },
  ...CONSOLE_ENTRIES,
  ...ARCHIVE_ENTRIES,
} as const satisfies Record<string, SettingEntry>;

export type SettingName = keyof typeof SETTINGS;
type SettingValue<N extends SettingName> = NonNullable<ReturnType<(typeof SETTINGS)[N]['parse']>>;

export type SettingValues = { readonly [N in SettingName]?: SettingValue<N> };
