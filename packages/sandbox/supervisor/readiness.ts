import { Agent, request } from 'undici';

/**
 * For health endpoints of own components on the loopback address. Their certificates are self-signed, and the answers
 * need no protection.
 */
const dispatcher = new Agent({
  connect: { rejectUnauthorized: false },
  headersTimeout: 2_000,
  bodyTimeout: 2_000,
});

/** Returns the response as text; throws on any status but 200. */
export async function textAt(url: string): Promise<string> {
  const { statusCode, body } = await request(url, { dispatcher });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${url}: expected HTTP 200, got ${statusCode}`);
  return text;
}

/** Whether the URL answers with 200, by TCP or through a Unix socket. */
export async function answersOk(url: string, socketPath?: string): Promise<boolean> {
  const through = socketPath === undefined ? dispatcher : new Agent({ connect: { socketPath } });
  try {
    const { statusCode, body } = await request(url, { dispatcher: through });
    await body.dump();
    return statusCode === 200;
  } finally {
    if (through !== dispatcher) await through.destroy();
  }
}
