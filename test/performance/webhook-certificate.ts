import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClusterClient } from '../../cluster/client.ts';
import { isAlreadyExists } from '../../cluster/errors.ts';
import { type KubeObject, type Resource, SECRETS } from '../../contracts/kubernetes.ts';

interface Secret extends KubeObject {
  /** In Base64, by file name. */
  readonly data?: Readonly<Record<string, string>>;
}

/** training-operator's own names for them. */
const NAME = 'training-operator-webhook-cert';
const FOLDER = '/tmp/k8s-webhook-server/serving-certs';
/** The certificate comes last: training-operator waits for it. */
const FILES = ['tls.key', 'tls.crt'] as const;

/**
 * The empty Secret that training-operator's manifests have: it writes the certificate of its webhook to it. Without
 * one it never becomes ready, although no webhook is registered here.
 */
export async function createWebhookSecret(cluster: ClusterClient, namespace: string): Promise<void> {
  const metadata = { name: NAME, namespace };
  await cluster.create(SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata }).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}

/** Writes the Secret to files, as a kubelet mounts it. Returns whether the files are there. */
export async function mountWebhookSecret(cluster: ClusterClient, namespace: string): Promise<boolean> {
  if (FILES.every((file) => existsSync(join(FOLDER, file)))) return true;
  const { data } = await cluster.get(SECRETS as Resource<Secret>, namespace, NAME);
  if (!FILES.every((file) => data?.[file])) return false;
  await mkdir(FOLDER, { recursive: true, mode: 0o700 });
  for (const file of FILES)
    await writeFile(join(FOLDER, file), data![file]!, { encoding: 'base64', mode: 0o600 });
  return true;
}

/** Also what an earlier bench has left, whose certificate would be another. */
export const unmountWebhookSecret = (): Promise<void> => rm(FOLDER, { recursive: true, force: true });
