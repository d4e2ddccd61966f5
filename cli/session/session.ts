import type { Command } from 'commander';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { ClusterClient } from '../../cluster/client.ts';
import { note } from '../print/output.ts';
import type { Settings } from '../settings/settings.ts';
import { hasCode } from '../shell/errors.ts';
import { ifInstalled } from '../shell/sandbox-package.ts';

export interface Session {
  readonly client: SignalboxClient;
  readonly settings: Settings;
}

/** Resolves settings from flags, environment and the running sandbox. */
export async function settingsOf(command: Command): Promise<Settings> {
  const flags = command.optsWithGlobals<{ context?: string }>();
  const [{ resolveSettings }, context, found] = await Promise.all([
    import('../settings/settings.ts'),
    contextOf(flags.context),
    ifInstalled(() => import('@signalbox/sandbox/running')),
  ]);
  const sandbox = () => found?.runningSandbox(process.env);
  const settings = resolveSettings({ flags, env: process.env, context, sandbox });
  if (settings.origins.temporalAddress === 'sandbox' && settings.logLevel === 'debug') {
    note(
      `using the sandbox: Temporal at ${settings.temporal.address}, kubeconfig ${settings.cluster.kubeconfig}`,
    );
  }
  return settings;
}

/** The installation that `--context`, the environment or the configuration file chooses. */
export async function contextOf(flag: string | undefined) {
  const { chosenContext } = await import('../contexts/chosen-context.ts');
  return chosenContext({ flag, env: process.env });
}

/** People wait for a wrong address. Programs retry for longer. */
const CONNECT_MS = 5_000;

/** Runs a command with a connected client and always closes the client. */
export async function withClient(command: Command, run: (session: Session) => Promise<void>): Promise<void> {
  const settings = await settingsOf(command);
  const client = await connectedClient(settings);
  try {
    await run({ client, settings });
  } catch (error) {
    if (!hasCode(error, 'JobNotFound') && !hasCode(error, 'ScheduleNotFound')) throw error;
    const { withNearName } = await import('./near-name.ts');
    throw await withNearName(error, client);
  } finally {
    await client.close();
  }
}

/** For commands that ask the cluster alone. Sends no request. */
export async function connectedCluster({ cluster }: Settings): Promise<ClusterClient> {
  const { ClusterClient } = await import('../../cluster/client.ts');
  return ClusterClient.connect(cluster);
}

export async function connectedClient(
  settings: Settings,
  { timeout = CONNECT_MS }: { readonly timeout?: number } = {},
): Promise<SignalboxClient> {
  const { SignalboxClient } = await import('../../client/handles/client.ts');
  const { temporal, cluster, taskQueue, namespace, lanes, jobs } = settings;
  const { evidence } = jobs;
  const servers = { temporal, cluster, taskQueue, namespace, lanes, evidence };
  return SignalboxClient.connect(servers, { timeout });
}
