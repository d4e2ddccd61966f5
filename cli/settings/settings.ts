import type { SandboxAddresses } from '@signalbox/sandbox/running';
import type {
  BridgeTakes,
  ConsoleSettings,
  JobSettings,
  TemporalSettings,
  WorkerSettings,
} from '../../contracts/settings.ts';
import { LEASE_SHARES } from '../../contracts/timing.ts';
import { keysOf } from '../../language/fields.ts';
import { SettingsError } from '../shell/errors.ts';
import { consoleOf } from './console-settings.ts';
import { ownIdentity } from './own-identity.ts';
import { flagOf, flagValue, type SettingEntry } from './setting-entry.ts';
import { SETTINGS, type SettingName, type SettingValues } from './settings-table.ts';
import { archiveOf, evidenceOf, storeFaults } from './store-settings.ts';

export interface Sources {
  /** Command-line options as parsed by commander. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The settings of the chosen installation; they give way to flags and variables. */
  readonly context?: ContextSource;
  /** Called only if no setting says that Temporal runs on another machine. */
  readonly sandbox: () => SandboxAddresses | undefined;
}

interface ContextSource {
  readonly name: string;
  readonly values: Readonly<Partial<Record<SettingName, string>>>;
}

export interface Settings extends WorkerSettings {
  readonly values: SettingValues;
  /** Where each value comes from, e.g. `--kubeconfig`, `TEMPORAL_ADDRESS`, `sandbox`, `default`. */
  readonly origins: Readonly<Partial<Record<SettingName, string>>>;
  readonly leaseNamespace: string;
  readonly leaseName: string;
  /** Whether `signalbox up` runs the bridge, too. */
  readonly bridge: boolean | 'auto';
  readonly bridgeLeaseName: string;
  readonly bridgeTakes: BridgeTakes;
  readonly lease: { readonly durationMs: number; readonly renewMs: number };
  /** How long completion in a shell waits for names. */
  readonly completionMs: number;
  /** Interval between searches for orphans. */
  readonly scanIntervalMs: number;
  /** Whether the watcher reads steps from the logs of jobs without configuration. */
  readonly readsSteps: boolean;
  /** The file of sources of health of nodes. */
  readonly nodeHealth?: string;
  readonly teamLabel?: string;
  /** The file of routes of notifications. */
  readonly notifications?: string;
  readonly console: ConsoleSettings;
}

interface Found {
  readonly name: SettingName;
  readonly raw: string;
  readonly origin: string;
  /** For faults, if the origin does not name the setting. */
  readonly place?: string;
}

/** Returns the effective settings. Throws `SettingsError` with all faults at once. */
export function resolveSettings(sources: Sources): Settings {
  const names = keysOf(SETTINGS);
  const typed = names.flatMap((name) => findGiven(name, sources));
  const given = [...inContext(typed, sources), ...typed];
  const has = (name: SettingName) => given.some((found) => found.name === name);
  const offered = offeredBySandbox(given, sources).filter(({ name }) => !has(name));
  const found = new Map(
    [...defaults(names, sources.env), ...offered, ...given].map((entry) => [entry.name, entry]),
  );
  return assemble(
    checked([...found.values()]),
    Object.fromEntries([...found].map(([name, { origin }]) => [name, origin])),
  );
}

/** Returns a value for display; hides secrets. */
export const shownSetting = (name: SettingName, value: unknown): unknown =>
  (SETTINGS[name] as SettingEntry).secret ? '***' : isPrivateKey(value) ? 'a private key' : value;

/** Given instead of the path of its file, or of the public key. */
const isPrivateKey = (value: unknown): boolean =>
  typeof value === 'string' && value.includes('PRIVATE KEY-----');

function findGiven(name: SettingName, { flags, env }: Sources): Found[] {
  const entry: SettingEntry = SETTINGS[name];
  const flag = flagValue(entry, flags);
  if (flag !== undefined) return [{ name, raw: String(flag), origin: flagOf(entry)! }];
  const raw = env[entry.env];
  return raw ? [{ name, raw, origin: entry.env }] : [];
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** What the context sets and nothing else does. Its API key goes to its own Temporal server only. */
function inContext(typed: readonly Found[], { context }: Sources): Found[] {
  if (!context) return [];
  const isTyped = (name: SettingName) => typed.some((found) => found.name === name);
  return foundIn(context.values, `context ${context.name}`).filter(
    ({ name }) => !isTyped(name) && !(name === 'temporalApiKey' && isTyped('temporalAddress')),
  );
}

const foundIn = (values: ContextSource['values'], origin: string): Found[] =>
  (Object.entries(values) as [SettingName, string][]).map(([name, raw]) => ({
    ...{ name, raw, origin },
    place: `${origin}: ${kebab(name)}`,
  }));

/** Checks the settings of a context. Throws `SettingsError` with all faults at once. */
export const checkedSettings = (values: ContextSource['values'], origin: string): void =>
  void checked(foundIn(values, origin));

/** If a Temporal address is given, offers only its directories, and only if the address is the sandbox's. */
function offeredBySandbox(given: readonly Found[], { sandbox }: Sources): Found[] {
  const temporal = given.find(({ name }) => name === 'temporalAddress');
  if (temporal && !isHere(temporal.raw)) return [];
  const found = sandbox();
  if (!found) return [];
  if (!temporal) return fromSandbox(found);
  if (sameAddress(temporal.raw) !== sameAddress(found.temporalAddress)) return [];
  return fromSandbox(found).filter(({ name }) => name === 'evidenceDir' || name === 'archiveDir');
}

const isHere = (address: string) => /^(localhost|127\.|\[::1\])/.test(address);

const sameAddress = (address: string) => address.replace(/^localhost:/, '127.0.0.1:');

const fromSandbox = ({ temporalAddress, kubeconfig, ...directories }: SandboxAddresses): Found[] => [
  { name: 'temporalAddress', raw: temporalAddress, origin: 'sandbox' },
  { name: 'kubeconfig', raw: kubeconfig, origin: 'sandbox' },
  { name: 'evidenceDir', raw: directories.evidenceDirectory, origin: 'sandbox' },
  { name: 'archiveDir', raw: directories.archiveDirectory, origin: 'sandbox' },
];

const defaults = (names: readonly SettingName[], env: Sources['env']): Found[] =>
  names.flatMap((name) => {
    const { default: fixed, defaultFrom }: SettingEntry = SETTINGS[name];
    const raw = fixed ?? defaultFrom?.(env);
    return raw === undefined ? [] : [{ name, raw, origin: 'default' }];
  });

function checked(found: readonly Found[]): SettingValues {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const { name, raw, origin, place = origin } of found) {
    const value = SETTINGS[name].parse(raw);
    if (value !== undefined) values[name] = value;
    else
      faults.push(
        `${place}: expected ${SETTINGS[name].expected}, got ${JSON.stringify(shownSetting(name, raw))}`,
      );
  }
  if (Boolean(values.temporalTlsCert) !== Boolean(values.temporalTlsKey)) {
    faults.push(
      'TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH: expected both or none, got one',
    );
  }
  faults.push(...storeFaults(values));
  if (faults.length)
    throw new SettingsError(`Some settings are invalid:\n${faults.map((f) => `  ${f}`).join('\n')}`);
  return values as SettingValues;
}

function assemble(values: SettingValues, origins: Settings['origins']): Settings {
  const { namespace } = values;
  return {
    values,
    origins,
    namespace,
    temporal: temporalOf(values),
    cluster: {
      kubeconfig: values.kubeconfig,
      context: values.kubeContext,
      connections: values.connections!,
      namespaces: values.namespaces,
      id: values.clusterId,
    },
    taskQueue: values.taskQueue!,
    lanes: values.lanes,
    workerIdentity: ownIdentity(),
    jobs: jobsOf(values),
    archive: archiveOf(values),
    processes: values.processes!,
    activities: values.activities!,
    cachedWorkflows: values.cachedWorkflows!,
    deployment: values.deployment
      ? { name: values.deployment, buildId: values.buildId!, upgrade: values.upgrade! }
      : undefined,
    logLevel: values.logLevel!,
    http: { host: values.httpHost!, port: values.httpPort! },
    leaseNamespace: values.leaseNamespace!,
    leaseName: values.leaseName!,
    bridge: values.bridge!,
    bridgeLeaseName: values.bridgeLeaseName!,
    bridgeTakes: values.bridgeTakes!,
    lease: {
      durationMs: values.leaseDuration! * 1000,
      renewMs: values.leaseDuration! * 1000 * LEASE_SHARES.renew,
    },
    completionMs: values.completionTimeout! * 1000,
    scanIntervalMs: values.scanInterval! * 1000,
    readsSteps: values.readsSteps!,
    nodeHealth: values.nodeHealth,
    teamLabel: values.teamLabel,
    notifications: values.notifications,
    console: consoleOf(values),
  };
}

const jobsOf = (values: SettingValues): JobSettings => ({
  conventions: {
    domain: values.clusterDomain,
    kubectlImage: values.kubectlImage!,
    masterWaitImage: values.masterWaitImage,
    etcdServers: values.etcdServers,
  },
  gang: values.gang!,
  coschedulingName: values.coschedulingName!,
  evidence: evidenceOf(values),
  keepEndedMs: values.keepEnded === 'forever' ? undefined : values.keepEnded! * 86_400_000,
  onHang: values.onHang!,
  consoleUrl: consoleOf(values).url,
  requireResource: values.requireResource!,
  requesterStamped: values.requesterStamped!,
});

function temporalOf(values: SettingValues): TemporalSettings {
  const tls = {
    caFile: values.temporalTlsCa,
    certFile: values.temporalTlsCert,
    keyFile: values.temporalTlsKey,
    serverName: values.temporalTlsServerName,
  };
  const isTls = values.temporalTls || Object.values(tls).some(Boolean);
  return {
    address: values.temporalAddress!,
    namespace: values.temporalNamespace!,
    apiKey: values.temporalApiKey,
    tls: isTls ? tls : undefined,
    dataConverter: values.dataConverter,
  };
}
