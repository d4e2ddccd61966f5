import { BlockList, isIP } from 'node:net';

/** Whether a text is an address, or a network like `10.0.0.0/8` or `fd00::/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** The addresses of networks. */
export class Networks {
  readonly #list = new BlockList();

  /** `networks`: as `isNetwork` takes them. */
  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', bits] = network.split('/');
      if (bits === undefined) this.#list.addAddress(address, familyOf(address));
      else this.#list.addSubnet(address, Number(bits), familyOf(address));
    }
  }

  /** Whether an address is one of theirs; false for what is no address. */
  has(address: string): boolean {
    return isIP(address) !== 0 && this.#list.check(address, familyOf(address));
  }
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
