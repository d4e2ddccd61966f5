import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SandboxError } from '../errors.ts';
import type { SandboxLayout } from '../layout.ts';

interface KubeletClient {
  readonly certificate: string;
  readonly key: string;
}

/** The API server's client certificate for kubelets. */
export function kubeletClientFiles({ credentials }: SandboxLayout): KubeletClient {
  const dir = join(credentials, 'kubelet-client');
  return { certificate: join(dir, 'client.crt'), key: join(dir, 'client.key') };
}

/** Created once. Self-signed: kubelets use it as the authority. */
export function ensureKubeletClient(layout: SandboxLayout): KubeletClient {
  const files = kubeletClientFiles(layout);
  if (existsSync(files.certificate)) return files;
  mkdirSync(join(files.key, '..'), { recursive: true, mode: 0o700 });
  const subject = ['-subj', '/O=system:masters/CN=kube-apiserver-kubelet-client'];
  const extensions = ['-addext', 'extendedKeyUsage=clientAuth'];
  const output = ['-keyout', files.key, '-out', files.certificate];
  try {
    const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '365'];
    execFileSync('openssl', [...args, ...subject, ...extensions, ...output], { stdio: 'pipe' });
  } catch (cause) {
    throw new SandboxError(
      `openssl: no certificate for the API server as a client of kubelets: ${String(cause)}`,
      'install openssl',
      { cause },
    );
  }
  return files;
}
