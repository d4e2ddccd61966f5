import { Agent, request } from 'undici';

/**
 * Health endpoints of our own children on the loopback address; each has a certificate it signed itself, and
 * there is nothing to protect in the word "ok".
 */
const dispatcher = new Agent({
  connect: { rejectUnauthorized: false },
  headersTimeout: 2_000,
  bodyTimeout: 2_000,
});

/** What is there as text; throws on any status but 200. */
export async function textAt(url: string): Promise<string> {
  const { statusCode, body } = await request(url, { dispatcher });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${url}: expected HTTP 200, got ${statusCode}`);
  return text;
}

/** By TCP, or through a Unix socket. */
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
