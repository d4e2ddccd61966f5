import { CONSOLE_IDENTITIES } from '../../contracts/settings.ts';
import { isNetwork } from '../../language/networks.ts';
import {
  choice,
  integer,
  matching,
  type SettingEntry,
  switchedOn,
  text,
  webAddress,
} from './setting-entry.ts';

const A_HEADER = 'the name of a header';
const headerName = matching(/^[A-Za-z0-9-]+$/);

/** Settings of `signalbox console`. */
export const CONSOLE_ENTRIES = {
  consoleHost: {
    flag: '--host <address>',
    env: 'SIGNALBOX_CONSOLE_HOST',
    expected: 'an address to listen on',
    meaning:
      'console: where it listens; others than this machine’s own need an identity (docs/console.md#who-may-see-what)',
    parse: text,
    default: '127.0.0.1',
  },
  consolePort: {
    flag: '--port <port>',
    env: 'SIGNALBOX_CONSOLE_PORT',
    expected: 'a port from 0 to 65535',
    meaning:
      'console: its port, by default 8470; 0 takes a free one. `signalbox up` runs a console if it is set',
    parse: integer(0, 65_535),
  },
  consoleUrl: {
    env: 'SIGNALBOX_CONSOLE_URL',
    expected: 'http://host or https://host',
    meaning: 'the address of the console in people’s browsers, behind a proxy, and for `--web`',
    parse: webAddress,
  },
  consoleIdentity: {
    flag: '--identity <how>',
    env: 'SIGNALBOX_CONSOLE_IDENTITY',
    expected: CONSOLE_IDENTITIES.join(', '),
    meaning:
      'console: how it knows who asks; `none`: whoever reaches it is the user who started it; `proxy`: as a proxy in front of it says; `kubernetes`: by tokens of the cluster',
    choices: CONSOLE_IDENTITIES,
    parse: choice(CONSOLE_IDENTITIES),
    default: 'none',
  },
  consoleProxies: {
    env: 'SIGNALBOX_CONSOLE_PROXIES',
    expected: 'addresses or networks with commas between them, e.g. 10.0.0.5,10.1.0.0/16',
    meaning: 'console: the proxies whose headers are believed',
    parse: networks,
  },
  consoleUserHeader: {
    env: 'SIGNALBOX_CONSOLE_USER_HEADER',
    expected: A_HEADER,
    meaning: 'console: in which a proxy names the user',
    parse: headerName,
    default: 'X-Forwarded-User',
  },
  consoleGroupsHeader: {
    env: 'SIGNALBOX_CONSOLE_GROUPS_HEADER',
    expected: A_HEADER,
    meaning: 'console: in which a proxy names the user’s groups, with commas between them',
    parse: headerName,
    default: 'X-Forwarded-Groups',
  },
  consoleReadOnly: {
    flag: '--read-only <true|false>',
    env: 'SIGNALBOX_CONSOLE_READ_ONLY',
    expected: 'true or false',
    meaning: 'console: nobody can change anything through it',
    parse: switchedOn,
    default: 'false',
  },
  temporalUi: {
    env: 'SIGNALBOX_TEMPORAL_UI',
    expected: 'http://host or https://host',
    meaning: 'console: the address of Temporal’s UI, which jobs then link to',
    parse: webAddress,
  },
} as const satisfies Record<string, SettingEntry>;

function networks(given: string): readonly string[] | undefined {
  const all = given.split(',').map((one) => one.trim());
  return all.every(isNetwork) ? all : undefined;
}
