import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Whether only programs of this machine reach an address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/**
 * Whether a request names this machine or the console's own address as its host. A page of another site whose name leads
 * here (DNS rebinding) sends its own name. Ports are not compared: people forward them.
 */
export function namesConsole(
  { headers }: Pick<IncomingMessage, 'headers'>,
  url: string | undefined,
): boolean {
  const named = URL.parse(`http://${headers.host}`);
  if (!named) return false;
  const name = named.hostname.replace(/^\[|\]$/g, '');
  return isLoopback(name) || (url !== undefined && new URL(url).hostname === named.hostname);
}
