import { CONSOLE_IDENTITIES } from '../../contracts/settings.ts';
import { isNetwork } from '../../language/networks.ts';
import {
  A_FILE,
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
    meaning:
      'the address of the console in people’s browsers, behind a proxy; `submit`, `get` and `--web` print that of the job, and worker and notifier tell it in Temporal’s details and in messages',
    parse: webAddress,
  },
  consoleIdentity: {
    flag: '--identity <how>',
    env: 'SIGNALBOX_CONSOLE_IDENTITY',
    expected: CONSOLE_IDENTITIES.join(', '),
    meaning:
      'console: how it knows who asks; `none`: whoever reaches it is the user who started it; `proxy`: as a proxy in front of it says; `kubernetes`: by tokens of the cluster; `oidc`: as an OpenID provider says',
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
  oidcIssuer: {
    env: 'SIGNALBOX_CONSOLE_OIDC_ISSUER',
    expected: 'https://host/path',
    meaning: 'console: the OpenID provider of the identity `oidc` (docs/console.md#an-openid-provider)',
    parse: matching(/^https?:\/\/[^\s?#]+$/),
  },
  oidcClientId: {
    env: 'SIGNALBOX_CONSOLE_OIDC_CLIENT_ID',
    expected: 'the id of a client',
    meaning: 'console: as which the provider knows it',
    parse: text,
  },
  oidcSecretFile: {
    env: 'SIGNALBOX_CONSOLE_OIDC_SECRET_FILE',
    expected: A_FILE,
    meaning: 'console: with the secret of the client; without one, it is a public client',
    parse: text,
  },
  oidcScopes: {
    env: 'SIGNALBOX_CONSOLE_OIDC_SCOPES',
    expected: 'scopes with spaces between them, openid among them',
    meaning: 'console: what it asks the provider for',
    parse: matching(/^(?=(.* )?openid( |$))[\x21-\x7e]+( [\x21-\x7e]+)*$/),
    default: 'openid profile email',
  },
  oidcUserClaim: {
    env: 'SIGNALBOX_CONSOLE_OIDC_USER_CLAIM',
    expected: 'the name of a claim',
    meaning: 'console: what of the provider’s answer is the name of a user, as rights in the cluster name it',
    parse: text,
    default: 'email',
  },
  oidcGroupsClaim: {
    env: 'SIGNALBOX_CONSOLE_OIDC_GROUPS_CLAIM',
    expected: 'the name of a claim',
    meaning: 'console: what of the provider’s answer are the groups of a user',
    parse: text,
    default: 'groups',
  },
  oidcAllowedGroups: {
    env: 'SIGNALBOX_CONSOLE_OIDC_ALLOWED_GROUPS',
    expected: 'groups with commas between them',
    meaning: 'console: only people of one of them may sign in; by default all people of the provider',
    parse: names,
  },
  consoleSessionHours: {
    env: 'SIGNALBOX_CONSOLE_SESSION_HOURS',
    expected: 'hours, from 1 to 24',
    meaning: 'console: how long a sign-in at the provider counts',
    parse: integer(1, 24),
    default: '8',
  },
  consoleSessionKeyFile: {
    env: 'SIGNALBOX_CONSOLE_SESSION_KEY_FILE',
    expected: A_FILE,
    meaning:
      'console: with the key of sessions and forms, at least 32 random characters; without one, they end with the process',
    parse: text,
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

/** Each once, and none empty. */
function names(given: string): readonly string[] | undefined {
  const all = given.split(',').map((one) => one.trim());
  return all.every(Boolean) ? [...new Set(all)] : undefined;
}

function networks(given: string): readonly string[] | undefined {
  const all = given.split(',').map((one) => one.trim());
  return all.every(isNetwork) ? all : undefined;
}
