import { LogKeyError } from './errors.ts';

/** Returns what a text has in PEM, in a sentence's words; undefined if it has no key. */
export function keyKindIn(text: string): 'a private key' | 'a public key' | undefined {
  if (/-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/.test(text)) return 'a private key';
  return /-----BEGIN (?:[A-Z]+ )*PUBLIC KEY-----/.test(text) ? 'a public key' : undefined;
}

/** Throws `LogKeyError` if a text has a private key, where those who verify give the public one. It never shows the text. */
export function refusePrivateKey(text: string, location: string): void {
  if (keyKindIn(text) !== 'a private key') return;
  throw new LogKeyError(`${location}: expected a public key, got a private key, which is not shown here`, {
    remedy:
      '`signalbox audit key FILE` prints the verifier key of a private one, `openssl pkey -in FILE -pubout` its public key in PEM. Who has the private key can sign: leave it where only signers read it.',
  });
}
