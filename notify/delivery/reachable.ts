import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Networks } from '../../language/networks.ts';

/** An address that may not be reached, or a name that has one. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
}

/** Where a name or an address leads that may be reached. */
export interface Reachable {
  readonly address: string;
  readonly family: 4 | 6;
  /** The installation names its network in `allow`. */
  readonly isAllowed: boolean;
}

/**
 * Which addresses may be reached: public ones, and those of networks that an installation names. A name is resolved here,
 * and what it resolved to is what is connected to: another answer of the name server, a moment later, changes nothing.
 */
export class ReachableAddresses {
  readonly #allowed: Networks;

  constructor(allow: readonly string[]) {
    this.#allowed = new Networks(allow);
  }

  /** Returns where a host leads. Throws `ForbiddenAddressError` if any of its addresses may not be reached. */
  async find(host: string): Promise<readonly Reachable[]> {
    const bare = host.replaceAll(/^\[|\]$/g, '');
    const found = isIP(bare) ? [{ address: bare, family: isIP(bare) }] : await lookup(bare, { all: true });
    return found.map(({ address, family }) => this.#checked(host, address, family === 6 ? 6 : 4));
  }

  #checked(host: string, address: string, family: 4 | 6): Reachable {
    const isAllowed = this.#allowed.has(address);
    if (isAllowed || isPublic(address, family)) return { address, family, isAllowed };
    const what = host === address ? `${address} is` : `${host} leads to ${address}, which is`;
    throw new ForbiddenAddressError(
      `${what} no public address, and the file of routes does not allow its network: add it to \`allow\``,
    );
  }
}

const isPublic = (address: string, family: 4 | 6): boolean =>
  (family === 4 || GLOBAL.has(address)) && !NOT_PUBLIC.has(address);

/** IPv6: only what is assigned for global use, less what is not. An IPv4 address in an IPv6 one is none of them. */
const GLOBAL = new Networks(['2000::/3']);

/** The registries of special purposes: RFC 6890 and its successors. */
const NOT_PUBLIC = new Networks([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...[
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
  ],
  ...['192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'],
]);
