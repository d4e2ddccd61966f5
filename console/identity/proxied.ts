import type { ConsoleSettings } from '../../contracts/settings.ts';
import { Networks } from '../../language/networks.ts';
import type { Identity } from './person.ts';

type ProxySettings = Pick<ConsoleSettings, 'proxies' | 'userHeader' | 'groupsHeader'>;

/** People as a proxy in front of the console names them. Only what comes from its address is believed. */
export function proxiedIdentity({ proxies, userHeader, groupsHeader }: ProxySettings): Identity {
  const trusted = new Networks(proxies);
  return {
    remedy:
      'Open the console through its proxy, which signs you in. Its address must be in SIGNALBOX_CONSOLE_PROXIES.',
    identify: async ({ socket, headers }) => {
      if (!trusted.has(withoutMapping(socket.remoteAddress ?? ''))) return undefined;
      const [name, groups = ''] = [headers[userHeader], headers[groupsHeader]].map(String);
      // Two headers of one name would be one that somebody else wrote.
      if (headers[userHeader] === undefined || name!.includes(',') || name!.trim() === '') return undefined;
      return { name: name!.trim(), groups: headers[groupsHeader] === undefined ? [] : namesIn(groups) };
    },
  };
}

const namesIn = (text: string) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

/** A socket for both families has IPv4 addresses in IPv6 ones. */
const withoutMapping = (address: string) => address.replace(/^::ffff:(?=\d+\.)/, '');
