import { hkdfSync } from 'node:crypto';

/** A key for one purpose: what is made with it counts for no other. */
export const derivedKey = (secret: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `signalbox console ${purpose}`, 32));
