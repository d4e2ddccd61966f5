import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClusterClient } from '../cluster/client.ts';
import { type KubeObject, type Resource, SECRETS } from '../contracts/kubernetes.ts';

interface Secret extends KubeObject {
  /** In Base64, by file name. */
  readonly data?: Readonly<Record<string, string>>;
}

/** The certificate comes last: those who make one for their webhook wait for it. */
const FILES = ['tls.key', 'tls.crt'] as const;

/** Writes the Secret with a webhook's certificate to files, as a kubelet mounts it. Returns whether the files are there. */
export async function mountWebhookSecret(
  cluster: ClusterClient,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  folder: string,
): Promise<boolean> {
  if (FILES.every((file) => existsSync(join(folder, file)))) return true;
  const { data } = await cluster.get(SECRETS as Resource<Secret>, namespace, name);
  if (!FILES.every((file) => data?.[file])) return false;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const file of FILES)
    await writeFile(join(folder, file), data![file]!, { encoding: 'base64', mode: 0o600 });
  return true;
}
