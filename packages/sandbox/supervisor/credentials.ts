import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxLayout } from '../layout.ts';

export interface Credentials {
  readonly token: string;
  readonly tokensFile: string;
  readonly serviceAccountKey: string;
  readonly serviceAccountPublicKey: string;
  /** The API server writes its self-signed certificate here. */
  readonly certDir: string;
  readonly certificate: string;
  readonly key: string;
}

/** Created once and kept, so that a copied kubeconfig stays valid until `reset`. */
export function ensureCredentials({ credentials: dir }: SandboxLayout): Credentials {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const tokenFile = join(dir, 'token');
  const found: Credentials = {
    token: existsSync(tokenFile) ? readFileSync(tokenFile, 'utf8') : randomBytes(24).toString('base64url'),
    tokensFile: join(dir, 'tokens.csv'),
    serviceAccountKey: join(dir, 'service-account.key'),
    serviceAccountPublicKey: join(dir, 'service-account.pub'),
    certDir: join(dir, 'kube-apiserver'),
    certificate: join(dir, 'kube-apiserver', 'apiserver.crt'),
    key: join(dir, 'kube-apiserver', 'apiserver.key'),
  };
  writePrivate(tokenFile, found.token);
  writePrivate(found.tokensFile, `${found.token},admin,admin,system:masters\n`);
  if (!existsSync(found.serviceAccountPublicKey)) makeServiceAccountKeys(found);
  return found;
}

/** Writes the public key last: if it exists, both do. */
function makeServiceAccountKeys({ serviceAccountKey, serviceAccountPublicKey }: Credentials): void {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  writePrivate(serviceAccountKey, privateKey);
  writePrivate(serviceAccountPublicKey, publicKey);
}

/** Throws while the API server is still writing the file: a client with a partial certificate would never connect. */
export function readCertificate({ certificate }: Credentials): string {
  const text = readFileSync(certificate, 'utf8');
  if (text.trimEnd().endsWith('-----END CERTIFICATE-----')) return text;
  throw new Error(`${certificate}: expected a whole certificate, got ${text.length} characters of it`);
}

/** Writes JSON, which is YAML, so that values need no quoting rules. */
export function writeKubeconfig(
  path: string,
  { url, credentials }: { url: string; credentials: Credentials },
): void {
  const ca = readFileSync(credentials.certificate).toString('base64');
  const name = 'signalbox-sandbox';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: { server: url, 'certificate-authority-data': ca } }],
    users: [{ name, user: { token: credentials.token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
  };
  writePrivate(path, `${JSON.stringify(config, null, 2)}\n`);
}

function writePrivate(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
}
