import { pino } from 'pino';
import { type RunningConsole, startConsole } from '../../console/console.ts';
import type { ConsoleProcessSettings } from '../../console/settings.ts';
import type { ConsoleSettings } from '../../contracts/settings.ts';
import type { ReportData } from '../../record/report/report-data.ts';
import { FakeServers } from './fake-client.ts';

const CONSOLE: ConsoleSettings = {
  ...{ host: '127.0.0.1', port: 0, identity: 'none', proxies: [], isReadOnly: false },
  ...{ userHeader: 'x-forwarded-user', groupsHeader: 'x-forwarded-groups' },
};

export interface OpenedConsole extends RunningConsole {
  readonly servers: FakeServers;
  /** Loads a page as a browser does: with the cookie that the first one set. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Loaded>;
  /** Sends the form of a page, with its token. */
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Loaded>;
}

interface Loaded {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** A console over jobs that are not there. */
export async function openConsole(
  jobs: readonly ReportData[],
  settings: Partial<ConsoleSettings> = {},
  around: Pick<Partial<ConsoleProcessSettings>, 'archive' | 'cluster' | 'lanes'> = {},
): Promise<OpenedConsole> {
  const servers = new FakeServers(jobs);
  const running = await startConsole(
    {
      temporal: { address: 'fake:7233', namespace: 'default' },
      cluster: { connections: 1, kubeconfig: '/nowhere' },
      ...{ taskQueue: 'signalbox', logLevel: 'error', http: { host: '', port: 0 } },
      console: { ...CONSOLE, ...settings },
      ...around,
    },
    pino({ level: 'silent' }),
    servers.connect,
  );
  let cookie = '';
  const load = async (path: string, init: RequestInit): Promise<Loaded> => {
    const answer = await fetch(running.address + path, { redirect: 'manual', ...init });
    const set = answer.headers.get('set-cookie')?.split(';')[0];
    if (set) cookie = set;
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
  return {
    ...running,
    servers,
    get: (path, headers = {}) => load(path, { headers: { cookie, ...headers } }),
    post: async (path, fields, headers = {}) => {
      const page = await load(path, { headers: { cookie } });
      const token = /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
      return load(path, {
        method: 'POST',
        body: new URLSearchParams({ token, ...fields }),
        headers: { cookie, origin: running.address, ...headers },
      });
    },
  };
}
