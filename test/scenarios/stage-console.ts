import { pino } from 'pino';
import { SignalboxClient } from '../../client/handles/client.ts';
import { type RunningConsole, startConsole } from '../../console/console.ts';
import type { ConsoleProcessSettings } from '../../console/settings.ts';
import type { Stage } from './stage.ts';

export interface StageConsoleOptions {
  readonly temporalNamespace?: string;
  readonly console?: Partial<ConsoleProcessSettings['console']>;
  readonly archive?: ConsoleProcessSettings['archive'];
}

const CONSOLE: ConsoleProcessSettings['console'] = {
  ...{ host: '127.0.0.1', port: 0, identity: 'none', proxies: [], isReadOnly: false },
  ...{ userHeader: 'x-forwarded-user', groupsHeader: 'x-forwarded-groups' },
};

/** A console over the servers of a stage. */
export function startStageConsole(
  { sandbox, namespace }: Stage,
  { temporalNamespace = 'default', console: settings, archive }: StageConsoleOptions = {},
): Promise<RunningConsole> {
  const temporal = { address: sandbox.temporalAddress, namespace: temporalNamespace };
  const cluster = { kubeconfig: sandbox.kubeconfig, connections: 16 };
  return startConsole(
    {
      ...{ temporal, cluster, taskQueue: 'signalbox', logLevel: 'error', http: { host: '', port: 0 } },
      ...(archive ? { archive } : {}),
      console: { ...CONSOLE, ...settings },
    },
    pino({ level: 'error' }),
    () => SignalboxClient.connect({ temporal, cluster, namespace }),
  );
}
